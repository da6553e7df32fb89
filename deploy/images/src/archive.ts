// Makes the images of the built processes without a Docker engine, as one archive that `docker load` and
// `ctr -n k8s.io images import` take: what the Dockerfile makes, on this machine's own C libraries in place of a base image.
//   node --conditions=source deploy/images/src/archive.ts [order ...]
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { createReadStream, existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { fileURLToPath } from 'node:url'
import { processNames } from './processes.ts'

interface Image {
  Config: string
  RepoTags: string[]
  Layers: string[]
}

const root = fileURLToPath(new URL('../../..', import.meta.url)).replace(/\/$/, '')
const build = join(root, '.local/build')
const wanted = process.argv.slice(2)
const names = wanted.length > 0 ? wanted : processNames(root)
for (const name of names)
  if (!existsSync(join(build, name, 'dist/main.js'))) {
    console.error(`${name} is not built: npm run build -- ${name}`)
    process.exit(1)
  }

const work = join(build, 'work')
rmSync(work, { recursive: true, force: true })
mkdirSync(join(work, 'etc'), { recursive: true })
mkdirSync(join(work, 'tmp'), { mode: 0o1777 })
writeFileSync(join(work, 'etc/passwd'), 'nonroot:x:65532:65532::/app:/sbin/nologin\n')
writeFileSync(join(work, 'etc/nsswitch.conf'), 'hosts: files dns\n')

const base = await layer([
  ['-C', work, 'etc', 'tmp'],
  ['-C', join(build, 'bin'), '--transform=s,^node$,usr/local/bin/node,', 'node'],
  ['-C', '/', '--dereference', ...librariesOf(join(build, 'bin/node'))],
])
const images: Image[] = []
for (const name of names)
  images.push(image(name, [base, await layer([['-C', build, `--transform=s,^${name},app,S`, name]])]))
writeFileSync(join(work, 'manifest.json'), JSON.stringify(images))

const archive = join(build, 'images.tar')
const files = new Set(images.flatMap(({ Config, Layers }) => [Config, ...Layers]))
execFileSync('tar', ['-C', work, '-cf', archive, 'manifest.json', ...files])
rmSync(work, { recursive: true })
console.log(`${archive}: ${images.flatMap(({ RepoTags }) => RepoTags).join(', ')}`)

/** What a program loads, and what the C library looks names up with, relative to the root. */
function librariesOf(program: string): string[] {
  const loaded = execFileSync('ldd', [program], { encoding: 'utf8' }).match(/\/[^ )]+/g) ?? []
  const libc = loaded.find((path) => path.endsWith('/libc.so.6')) ?? '/lib/libc.so.6'
  const resolvers = ['libnss_dns.so.2', 'libnss_files.so.2', 'libresolv.so.2'].map((file) => join(dirname(libc), file))
  return [...loaded, ...resolvers].filter((path) => existsSync(path)).map((path) => path.slice(1))
}

/** A layer of what tar is told to put together; the same files make the same layer. Answers the name of its file. */
async function layer(parts: string[][]): Promise<string> {
  const file = join(work, 'layer.tar')
  const fixed = ['--numeric-owner', '--owner=0', '--group=0', '--sort=name', '--mtime=@0']
  parts.forEach((part, index) => {
    // `--dereference` and `--transform` hold for a whole run of tar: each part is a run of its own.
    const paths = part.slice(2).filter((word) => !word.startsWith('--'))
    const options = part.slice(2).filter((word) => word.startsWith('--'))
    execFileSync('tar', [index === 0 ? '-cf' : '-rf', file, ...fixed, ...options, ...part.slice(0, 2), ...paths])
  })
  const hash = createHash('sha256')
  await pipeline(createReadStream(file), hash)
  const name = `${hash.digest('hex')}.tar`
  renameSync(file, join(work, name))
  return name
}

function image(name: string, layers: string[]): Image {
  const config = JSON.stringify({
    architecture: process.arch === 'arm64' ? 'arm64' : 'amd64',
    os: 'linux',
    config: {
      User: '65532:65532',
      WorkingDir: '/app',
      Env: ['PATH=/usr/local/bin', 'NODE_ENV=production', 'HOST=0.0.0.0'],
      Entrypoint: ['/usr/local/bin/node', '--enable-source-maps'],
      Cmd: ['--import', '@svc/telemetry/register', 'dist/main.js'],
    },
    rootfs: { type: 'layers', diff_ids: layers.map((file) => `sha256:${file.replace('.tar', '')}`) },
    history: [],
  })
  const configFile = `${createHash('sha256').update(config).digest('hex')}.json`
  writeFileSync(join(work, configFile), config)
  return { Config: configFile, RepoTags: [`delivery-dispatch/${name}:local`], Layers: layers }
}
