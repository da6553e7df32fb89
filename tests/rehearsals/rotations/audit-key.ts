import { randomBytes } from 'node:crypto'
import type { Rotation } from '../rotation.ts'

const VARIABLE = 'AUDIT_KEY'

/** The new key is known first and chains then; entries of before verify by the old one alone, which stays. */
export const auditKey: Rotation = {
  name: 'audit-key',
  async rotate({ told, roll, command, logIn, stream }) {
    const old = told('admin', VARIABLE)
    const fresh = `fresh:${randomBytes(32).toString('base64')}`
    stream('log-in', 500, logIn)
    await roll(['admin'], { [VARIABLE]: `${old},${fresh}` })
    await roll(['admin'], { [VARIABLE]: `${fresh},${old}` })
    await command('admin', 'verify-audit')
    const alone = await command('admin', 'verify-audit', { [VARIABLE]: fresh }).catch(() => 'refused')
    if (alone !== 'refused') throw new Error('entries of before verify without the old key: which one made them?')
  },
}
