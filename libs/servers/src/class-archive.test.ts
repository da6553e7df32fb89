import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from '@jest/globals'
import { keepClassArchive } from './class-archive.ts'

test('the first Java that ends leaves its classes for all later ones, and one that was killed leaves nothing', () => {
  const folder = mkdtempSync(join(tmpdir(), 'classes-'))
  try {
    const jars = join(folder, 'jars')
    const written = join(folder, 'written')
    const killed = keepClassArchive(jars, written)
    expect(killed).toMatchObject({ read: [], write: [`-XX:ArchiveClassesAtExit=${written}`] })
    killed.keep()
    expect(readdirSync(folder)).toEqual([])

    const ended = keepClassArchive(jars, written)
    writeFileSync(written, 'classes')
    ended.keep()
    const [archive] = readdirSync(folder)
    const read = [`-XX:SharedArchiveFile=${join(folder, archive!)}`]
    expect(keepClassArchive(jars, written)).toMatchObject({ read, write: [] })
    expect(archive).toMatch(/^jars-[0-9a-f]{12}\.jsa$/)
  } finally {
    rmSync(folder, { recursive: true })
  }
})
