import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { textReader, UnreadableError } from '../src/peers/text-reader.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'engines-'))
  process.env['SECRET_OF_THIS_PROCESS'] = 'do not tell'
})
afterAll(async () => {
  delete process.env['SECRET_OF_THIS_PROCESS']
  await rm(folder, { recursive: true, force: true })
})

/** What a program makes of a picture that is given to it as an engine. */
async function read(program: string, { timeout = 60_000, bytes = Buffer.from('picture') } = {}): Promise<string> {
  const ocrCommand = join(folder, `${Math.random()}.sh`)
  await writeFile(ocrCommand, `#!/bin/sh\n${program}\n`, { mode: 0o755 })
  const limits = { ocrLanguages: 'eng', ocrTimeout: timeout, ocrMemoryBytes: 128 * 1024 * 1024 }
  const reader = textReader({ ocrCommand, pdfTextCommand: undefined, ...limits })
  return reader.read('image/png', bytes, new AbortController().signal)
}

test('an engine is given the file and its own empty folder, which is gone afterwards, and nothing of our environment', async () => {
  const said = await read('pwd; ls -A | wc -l; env; cat')
  const [own = '', files] = said.split('\n')
  expect([files?.trim(), existsSync(own)]).toEqual(['0', false])
  expect(said).not.toContain('do not tell')
  expect(said.endsWith('picture')).toBe(true)
})

test.each([
  ['takes too long', 'ocr_timed_out', 'exec sleep 3600', 1_000],
  ['computes for too long', 'ocr_timed_out', 'while :; do :; done', 1_000],
  ['wants more memory than it has', 'unreadable_file', 'exec tail /dev/zero', 60_000],
  ['fails', 'unreadable_file', 'exit 1', 60_000],
])('an engine that %s is ended: %s', async (_what, reason, program, timeout) => {
  const failure = await read(program, { timeout }).catch((error: unknown) => error)
  expect(failure).toBeInstanceOf(UnreadableError)
  expect(failure).toMatchObject({ reason })
})

test('of an engine that never stops talking the beginning is kept', async () => {
  const said = await read('exec yes')
  expect(said.startsWith('y\ny\n')).toBe(true)
  expect(said.length).toBeLessThanOrEqual(256 * 1024)
})

test('an engine that reads nothing of a large file is no failure of ours', async () => {
  expect(await read('echo text', { bytes: Buffer.alloc(4 * 1024 * 1024) })).toBe('text\n')
})

test('a type that no engine reads is not given to one', async () => {
  const limits = { ocrLanguages: 'eng', ocrTimeout: 60_000, ocrMemoryBytes: 128 * 1024 * 1024 }
  const reader = textReader({ ocrCommand: undefined, pdfTextCommand: undefined, ...limits })
  expect([reader.reads('image/png'), reader.reads('application/pdf')]).toEqual([false, false])
})
