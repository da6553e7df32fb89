import pg from 'pg'

/** Vacuums and analyses tables. It waits for whoever does so already: the server itself may, after so many rows. */
export async function vacuum(ownerUrl: string, ...tables: readonly string[]): Promise<void> {
  const owner = new pg.Client({ connectionString: ownerUrl })
  await owner.connect()
  try {
    await owner.query("SET lock_timeout = '120s'")
    for (const table of tables) await owner.query(`VACUUM (ANALYZE) ${table}`)
  } finally {
    await owner.end()
  }
}
