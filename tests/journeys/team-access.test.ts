import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from '@jest/globals'
import { sharedMesh } from '@svc/testing'

const ROOT = resolve(import.meta.dirname, '../..')
const guide = readFileSync(resolve(ROOT, 'docs/guides/team-access.md'), 'utf8')
const script = [...guide.matchAll(/```sh\n([^]*?)```/g)].map(([, block]) => block!).join('\n')

const { baseUrl } = sharedMesh('journeys')

test('who copies the guide acts for another merchant, by a header and by a token, until the grant is revoked', async () => {
  const local = script.replaceAll('http://127.0.0.1:8080', baseUrl)
  const { stdout } = await promisify(execFile)('bash', ['-euc', local], { cwd: ROOT, timeout: 120_000 })
  expect(stdout.trim().split('\n')).toEqual(['Corner Shop', 'Corner Shop', 'true', 'no_active_grant', 'revoked'])
})
