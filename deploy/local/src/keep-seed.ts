import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'

/** The seed of every secret of this clone, made at its first start and readable by its owner only. */
export function keepSeed(file: string): string {
  if (!existsSync(file)) {
    const seed = randomBytes(32).toString('base64url')
    writeFileSync(file, `${JSON.stringify({ seed }, null, 2)}\n`, { mode: 0o600 })
  }
  return (JSON.parse(readFileSync(file, 'utf8')) as { seed: string }).seed
}
