import { execFileSync, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { createReadStream, existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'

/** What a container of an image starts with, in the words of the OCI's image configuration. */
interface ImageConfig {
  User?: string
  WorkingDir?: string
  Env?: string[]
  Entrypoint: string[]
  Cmd?: string[]
}

export interface ImageArchive {
  /** A folder for what goes into a layer; it is removed with the rest. */
  folder: string
  /** A layer of what each run of tar is told to put together; the same files make the same layer. Answers its name. */
  layer(runs: readonly (readonly string[])[]): Promise<string>
  /** Adds an image of layers, the lowest first. */
  add(tag: string, layers: string[], config: ImageConfig): void
  /** Writes the archive that `docker load` and `ctr images import` take, and removes the folder. */
  write(file: string): void
}

/** Makes images without a Docker engine, by way of a work folder that is made anew. */
export function imageArchive(work: string): ImageArchive {
  rmSync(work, { recursive: true, force: true })
  const folder = join(work, 'files')
  mkdirSync(folder, { recursive: true })
  const images: { Config: string; RepoTags: string[]; Layers: string[] }[] = []

  async function layer(runs: readonly (readonly string[])[]): Promise<string> {
    const file = join(work, 'layer.tar')
    const fixed = ['--numeric-owner', '--owner=0', '--group=0', '--sort=name', '--mtime=@0']
    // `--dereference` and `--transform` hold for a whole run of tar: each part is a run of its own.
    runs.forEach((words, index) => {
      const options = words.filter((word) => word.startsWith('--'))
      const rest = words.filter((word) => !word.startsWith('--'))
      const { status, stderr } = spawnSync('tar', [index === 0 ? '-cf' : '-rf', file, ...fixed, ...options, ...rest])
      // 1 says that a file changed while it was read: one of pnpm's store does where another checkout links to it.
      if (status !== 0 && status !== 1) throw new Error(`tar could not make a layer: ${stderr.toString()}`)
    })
    const hash = createHash('sha256')
    await pipeline(createReadStream(file), hash)
    const name = `${hash.digest('hex')}.tar`
    renameSync(file, join(work, name))
    return name
  }

  function add(tag: string, layers: string[], config: ImageConfig): void {
    const text = JSON.stringify({
      architecture: process.arch === 'arm64' ? 'arm64' : 'amd64',
      os: 'linux',
      config,
      rootfs: { type: 'layers', diff_ids: layers.map((file) => `sha256:${file.replace('.tar', '')}`) },
      history: [],
    })
    const configFile = `${createHash('sha256').update(text).digest('hex')}.json`
    writeFileSync(join(work, configFile), text)
    images.push({ Config: configFile, RepoTags: [tag], Layers: layers })
  }

  function write(file: string): void {
    writeFileSync(join(work, 'manifest.json'), JSON.stringify(images))
    const files = new Set(images.flatMap(({ Config, Layers }) => [Config, ...Layers]))
    execFileSync('tar', ['-C', work, '-cf', file, 'manifest.json', ...files])
    rmSync(work, { recursive: true })
  }

  return { folder, layer, add, write }
}

/** What programs load, and what the C library looks names up with, relative to the root. */
export function librariesOf(programs: readonly string[]): string[] {
  const loaded =
    execFileSync('ldd', programs, { encoding: 'utf8', stdio: 'pipe' }).match(/(?<=\s)\/[^ ():]+(?= \()/g) ?? []
  const libc = loaded.find((path) => path.endsWith('/libc.so.6')) ?? '/lib/libc.so.6'
  const resolvers = ['libnss_dns.so.2', 'libnss_files.so.2', 'libresolv.so.2'].map((file) => join(dirname(libc), file))
  return [...new Set([...loaded, ...resolvers])].filter((path) => existsSync(path)).map((path) => path.slice(1))
}
