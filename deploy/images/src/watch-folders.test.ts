import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from '@jest/globals'
import { watchFolders } from './watch-folders.ts'

const closers: Array<() => void> = []
afterEach(() => {
  for (const close of closers.splice(0).toReversed()) close()
})

/** A watched folder; `told` resolves once a change of that file has been told of. */
function watched() {
  const folder = mkdtempSync(join(tmpdir(), 'watch-folders-'))
  closers.push(() => rmSync(folder, { recursive: true }))
  const deep = join(folder, 'deep')
  mkdirSync(deep)
  const waiting = new Map<string, () => void>()
  closers.push(watchFolders([folder], (file) => waiting.get(file)?.()))
  const told = (file: string) => new Promise<void>((resolve) => waiting.set(file, resolve))
  return { folder, deep, told }
}

test('a file is told of each time that another takes its place', async () => {
  const { folder, deep, told } = watched()
  const file = join(deep, 'file.js')
  for (const text of ['one', 'two', 'three']) {
    const change = told(file)
    writeFileSync(join(folder, 'part'), text)
    renameSync(join(folder, 'part'), file)
    await change
  }
  const end = told(file)
  rmSync(file)
  await expect(end).resolves.toBeUndefined()
})

test('what happens in a folder that came later is told of, too', async () => {
  const { deep, told } = watched()
  const later = join(deep, 'later')
  const known = told(join(deep, 'after.js'))
  mkdirSync(later)
  writeFileSync(join(deep, 'after.js'), 'after')
  await known
  const change = told(join(later, 'file.js'))
  writeFileSync(join(later, 'file.js'), 'one')
  await expect(change).resolves.toBeUndefined()
})
