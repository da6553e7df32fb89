import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

export interface MeshProcess {
  name: string
  kind: 'service' | 'gateway' | 'providers'
  /** The folder of its package, where it runs. */
  folder: string
  /** Its entry, relative to the folder. */
  entry: string
}

/** Every process of the mesh whose entry exists: the double of the third parties, the services, the gateway. */
export function findProcesses(root: string): MeshProcess[] {
  const services = readdirSync(join(root, 'services'))
    .sort()
    .map((name): MeshProcess => ({ name, kind: 'service', folder: join(root, 'services', name), entry: 'src/main.ts' }))
  const all: MeshProcess[] = [
    { name: 'providers', kind: 'providers', folder: join(root, 'deploy/local'), entry: 'src/providers/main.ts' },
    ...services,
    { name: 'gateway', kind: 'gateway', folder: join(root, 'gateway'), entry: 'src/main.ts' },
  ]
  return all.filter(({ folder, entry }) => existsSync(join(folder, entry)))
}
