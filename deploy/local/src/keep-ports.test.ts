import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from '@jest/globals'
import { keepPorts } from './keep-ports.ts'

let folder: string
let blockers: Server[]

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'ports-'))
  blockers = []
})

afterEach(() => {
  for (const blocker of blockers) blocker.close()
  rmSync(folder, { recursive: true, force: true })
})

async function occupy(port: number): Promise<void> {
  const blocker = createServer()
  blockers.push(blocker)
  await new Promise<void>((resolve) => blocker.listen(port, '127.0.0.1', resolve))
}

test('a second start takes the ports of the first', async () => {
  const file = join(folder, 'ports.json')
  const first = await keepPorts(file, ['a', 'b'], {})
  expect(new Set(Object.values(first)).size).toBe(2)
  expect(await keepPorts(file, ['a', 'b'], {})).toEqual(first)
})

test('a port that somebody took meanwhile is replaced, the others stay', async () => {
  const file = join(folder, 'ports.json')
  const first = await keepPorts(file, ['a', 'b'], {})
  await occupy(first['a'] as number)
  const second = await keepPorts(file, ['a', 'b'], {})
  expect(second['a']).not.toBe(first['a'])
  expect(second['b']).toBe(first['b'])
})

test('a preferred port counts upwards to the next free one', async () => {
  const { probe } = await keepPorts(join(folder, 'probe.json'), ['probe'], {})
  await occupy(probe as number)
  const { gateway } = await keepPorts(join(folder, 'ports.json'), ['gateway'], { gateway: probe as number })
  expect(gateway).toBeGreaterThan(probe as number)
  expect(gateway).toBeLessThan((probe as number) + 50)
})
