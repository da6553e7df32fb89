import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import { imageArchive, librariesOf } from '../../images/src/image-archive.ts'

const SLEEP = '/usr/bin/sleep'

/** Writes the images that every cluster has, as one archive: what holds the network of a pod, and the name server. */
export async function writeSystemImages(file: string, coredns: string): Promise<void> {
  const images = imageArchive(`${file}.work`)
  const sandbox = await images.layer([['-C', '/', '--dereference', SLEEP.slice(1), ...librariesOf([SLEEP])]])
  images.add('delivery-dispatch/pause:local', [sandbox], { Entrypoint: [SLEEP, 'infinity'] })
  copyFileSync(coredns, join(images.folder, 'coredns'))
  const server = await images.layer([['-C', images.folder, 'coredns']])
  images.add('delivery-dispatch/coredns:local', [server], { Entrypoint: ['/coredns'] })
  images.write(file)
}
