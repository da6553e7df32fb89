import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { imageArchive, librariesOf } from './image-archive.ts'

/**
 * Writes the images of these built processes as one archive: what the Dockerfile makes, on this machine's own C libraries in
 * place of a base image. Answers their tags.
 */
export async function writeProcessImages(build: string, names: readonly string[], file: string): Promise<string[]> {
  const images = imageArchive(`${file}.work`)
  mkdirSync(join(images.folder, 'etc'))
  mkdirSync(join(images.folder, 'tmp'))
  chmodSync(join(images.folder, 'tmp'), 0o1777)
  writeFileSync(join(images.folder, 'etc/passwd'), 'nonroot:x:65532:65532::/app:/sbin/nologin\n')
  writeFileSync(join(images.folder, 'etc/nsswitch.conf'), 'hosts: files dns\n')

  const base = await images.layer([
    ['-C', images.folder, 'etc', 'tmp'],
    ['-C', join(build, 'bin'), '--transform=s,^node$,usr/local/bin/node,', 'node'],
    ['-C', '/', '--dereference', ...librariesOf([join(build, 'bin/node')])],
  ])
  const tags: string[] = []
  for (const name of names) {
    const tag = `delivery-dispatch/${name}:local`
    images.add(tag, [base, await images.layer([['-C', build, `--transform=s,^${name},app,S`, name]])], {
      User: '65532:65532',
      WorkingDir: '/app',
      Env: ['PATH=/usr/local/bin', 'NODE_ENV=production', 'HOST=0.0.0.0'],
      Entrypoint: ['/usr/local/bin/node', '--enable-source-maps'],
      Cmd: ['--import', '@svc/telemetry/register', 'dist/main.js'],
    })
    tags.push(tag)
  }
  images.write(file)
  return tags
}
