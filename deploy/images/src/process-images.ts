import { chmodSync, globSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { imageArchive, librariesOf } from './image-archive.ts'

/** Of a process: a folder for each version of a package, `name@version`. */
const PACKAGES = 'node_modules/.pnpm'

/**
 * Writes the images of these built processes as one archive: what the Dockerfile makes, on this machine's own C libraries in
 * place of a base image; with these programs of it, where there shall be any. Answers their tags.
 */
export async function writeProcessImages(
  build: string,
  names: readonly string[],
  file: string,
  tools: readonly string[] = [],
): Promise<string[]> {
  const images = imageArchive(`${file}.work`)
  mkdirSync(join(images.folder, 'etc'))
  mkdirSync(join(images.folder, 'tmp'))
  chmodSync(join(images.folder, 'tmp'), 0o1777)
  writeFileSync(join(images.folder, 'etc/passwd'), 'nonroot:x:65532:65532::/app:/sbin/nologin\n')
  writeFileSync(join(images.folder, 'etc/nsswitch.conf'), 'hosts: files dns\n')

  const native = names.flatMap((name) => globSync(join(build, name, PACKAGES, '**/*.node')))
  const base = await images.layer([
    ['-C', images.folder, 'etc', 'tmp'],
    ['-C', join(build, 'bin'), '--transform=s,^node$,usr/local/bin/node,', 'node'],
    ['-C', '/', '--dereference', ...librariesOf([join(build, 'bin/node'), ...native, ...tools])],
    ...(tools.length > 0 ? [['-C', '/', '--dereference', ...tools.map((path) => path.slice(1))]] : []),
  ])
  const common = packagesOfAll(build, names)
  const tags: string[] = []
  for (const name of names) {
    const tag = `delivery-dispatch/${name}:local`
    // The same for every process that was built of the same; of one that was not, a layer of its own.
    const packages = await images.layer([['-C', build, intoApp(name), ...common.map((path) => join(name, path))]])
    const without = common.map((path) => `--exclude=${join(name, path)}`)
    const own = await images.layer([['-C', build, intoApp(name), '--anchored', '--no-wildcards', ...without, name]])
    images.add(tag, [base, packages, own], {
      User: '65532:65532',
      WorkingDir: '/app',
      Env: [`PATH=/usr/local/bin${tools.length > 0 ? ':/bin' : ''}`, 'NODE_ENV=production', 'HOST=0.0.0.0'],
      Entrypoint: ['/usr/local/bin/node', '--enable-source-maps'],
      Cmd: ['--import', '@svc/telemetry/register', 'dist/main.js'],
    })
    tags.push(tag)
  }
  images.write(file)
  return tags
}

const intoApp = (name: string) => `--transform=s,^${name},app,S`

/** The packages that every one of these processes has: most of what they hold. */
function packagesOfAll(build: string, names: readonly string[]): string[] {
  const [first = [], ...others] = names.map((name) => readdirSync(join(build, name, PACKAGES)))
  const isOfAll = (entry: string) => entry.includes('@') && others.every((more) => more.includes(entry))
  return first.filter(isOfAll).map((entry) => join(PACKAGES, entry))
}
