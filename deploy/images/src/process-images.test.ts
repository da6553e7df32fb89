import { execFileSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, expect, test } from '@jest/globals'
import { writeProcessImages } from './process-images.ts'

const GRPC = 'node_modules/.pnpm/@svc+grpc@file+libs+grpc/index.js'
const PG = 'node_modules/.pnpm/pg@8.0.0/index.js'
const EXPRESS = 'node_modules/.pnpm/express@5.0.0/index.js'
const folder = mkdtempSync(join(tmpdir(), 'process-images-'))
const build = join(folder, 'build')
mkdirSync(join(build, 'bin'), { recursive: true })
// Any program that loads a library stands for Node.
cpSync('/bin/true', join(build, 'bin/node'))

afterAll(() => rmSync(folder, { recursive: true }))

/** What `npm run build` puts together: these files, each of this text. */
function aProcess(name: string, files: Record<string, string>): void {
  const all = { 'dist/main.js': name, 'node_modules/.pnpm/lock.yaml': `of ${name}`, [PG]: 'pg', ...files }
  for (const [path, text] of Object.entries(all)) {
    const file = join(build, name, path)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text)
  }
  symlinkSync('.pnpm/pg@8.0.0', join(build, name, 'node_modules/pg'))
}

/** The images of these, unpacked: the archive, and the root of each. */
async function unpacked(...names: string[]) {
  const at = mkdtempSync(join(folder, 'archive-'))
  const file = join(at, 'images.tar')
  await writeProcessImages(build, names, file)
  execFileSync('tar', ['-xf', file, '-C', at])
  rmSync(file)
  const images: { RepoTags: [string]; Layers: string[] }[] = JSON.parse(readFileSync(join(at, 'manifest.json'), 'utf8'))
  const layers = readdirSync(at).filter((one) => one.endsWith('.tar'))
  const within = new Map(layers.map((layer) => [layer, execFileSync('tar', ['-tf', join(at, layer)]).toString()]))
  const roots = images.map(({ Layers }, index) => {
    const root = join(at, `root-${index}`)
    mkdirSync(root)
    for (const layer of Layers) execFileSync('tar', ['-xf', join(at, layer), '-C', root])
    return root
  })
  const layersWith = (path: string) => layers.filter((layer) => within.get(layer)?.split('\n').includes(`app/${path}`))
  return { images, roots, layersWith }
}

const differences = (one: string, other: string): string =>
  execFileSync('diff', ['-r', '--no-dereference', one, other]).toString()

test('a package that every process has is in one layer of all their images, and each image is whole', async () => {
  aProcess('near', { [GRPC]: 'grpc' })
  aProcess('far', { [GRPC]: 'grpc', [EXPRESS]: 'express' })
  const { images, roots, layersWith } = await unpacked('near', 'far')
  expect(images.map(({ RepoTags }) => RepoTags[0])).toEqual(
    ['near', 'far'].map((name) => `delivery-dispatch/${name}:local`),
  )
  const shared = layersWith(PG)
  expect(shared).toHaveLength(1)
  expect(layersWith(GRPC)).toEqual(shared)
  for (const { Layers } of images) expect(Layers).toContain(shared[0])
  expect(layersWith(EXPRESS)).toHaveLength(1)
  expect(layersWith(EXPRESS)).not.toEqual(shared)
  for (const [index, name] of ['near', 'far'].entries())
    expect(differences(join(build, name), join(roots[index] ?? '', 'app'))).toBe('')
})

test('a process that was built before a package changed keeps the package it was built with', async () => {
  aProcess('earlier', { [GRPC]: 'grpc' })
  aProcess('later', { [GRPC]: 'grpc, changed' })
  const { roots } = await unpacked('earlier', 'later')
  for (const [index, name] of ['earlier', 'later'].entries())
    expect(differences(join(build, name), join(roots[index] ?? '', 'app'))).toBe('')
})

test('an image holds the libraries that a native module of its packages loads', async () => {
  const loadedBy = (program: string) => execFileSync('ldd', [program], { encoding: 'utf8' })
  // Of OpenSSL's program: a module that needs more than the program of the image does.
  const [module] = /\/\S*libssl\.so\S*/.exec(loadedBy('/usr/bin/openssl')) as RegExpExecArray
  const [needed] = /\/\S*libcrypto\.so\S*/.exec(loadedBy(module)) as RegExpExecArray
  aProcess('sealing', {})
  const folderOfModule = join(build, 'sealing/node_modules/.pnpm/argon@1.0.0/node_modules/argon')
  mkdirSync(folderOfModule, { recursive: true })
  cpSync(module, join(folderOfModule, 'argon.node'), { dereference: true })
  const { roots } = await unpacked('sealing')
  expect(existsSync(join(roots[0] as string, needed))).toBe(true)
})
