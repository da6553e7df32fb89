import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from '@jest/globals'
import { sharedMesh } from '@svc/testing'

const ROOT = resolve(import.meta.dirname, '../..')
const guide = readFileSync(resolve(ROOT, 'docs/guides/cash-on-delivery.md'), 'utf8')
const script = [...guide.matchAll(/```sh\n([^]*?)```/g)].map(([, block]) => block!).join('\n')

const { baseUrl } = sharedMesh('journeys')

test('who copies the guide sees cash collected, handed over in part and accounted for, as its comments say', async () => {
  const local = script.replaceAll('http://127.0.0.1:8080', baseUrl)
  const { stdout } = await promisify(execFile)('bash', ['-euc', local], { cwd: ROOT, timeout: 120_000 })
  const promised = [...script.matchAll(/ {3}# ([a-z]+|[-\d ]+)$/gm)].map(([, said]) => said)
  expect(promised).toHaveLength(6)
  expect(stdout.trim().split('\n')).toEqual(promised)
})
