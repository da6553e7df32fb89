import type { ClientBase } from 'pg'

/** How many sessions wait for what the transaction of that connection has locked. */
export async function waitingFor(holder: Pick<ClientBase, 'query'>): Promise<number> {
  const { rows } = await holder.query<{ waiting: number }>(
    'SELECT count(*)::int AS waiting FROM pg_locks WHERE NOT granted AND pg_backend_pid() = ANY (pg_blocking_pids(pid))',
  )
  return rows[0]!.waiting
}
