import { execFileSync } from 'node:child_process'
import { copyFileSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const ROOT = join(import.meta.dirname, '../../..')

export interface Packed {
  /** What was packed: package.json, README.md, src and dist. */
  folder: string
  /** Where the tarball lies, and what is in it. */
  path: string
  tarball: Uint8Array<ArrayBuffer>
  end(): void
}

/** A package of the workspace as `npm pack` makes it of its folder; `build` writes its `dist` into the folder given. */
export function packed(name: string, build: (dist: string) => void): Packed {
  const work = mkdtempSync(join(tmpdir(), 'packed-'))
  const folder = join(work, 'package')
  mkdirSync(folder)
  const source = join(ROOT, name)
  for (const file of ['package.json', 'README.md']) copyFileSync(join(source, file), join(folder, file))
  cpSync(join(source, 'src'), join(folder, 'src'), { recursive: true })
  build(join(folder, 'dist'))
  const said = execFileSync('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', work], {
    cwd: folder,
    env: { ...process.env, NODE_OPTIONS: '' },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const [{ filename }] = JSON.parse(said.toString()) as [{ filename: string }]
  const path = join(work, filename)
  return { folder, path, tarball: new Uint8Array(readFileSync(path)), end: () => rmSync(work, { recursive: true }) }
}
