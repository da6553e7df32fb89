import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

export interface MeshProcess {
  name: string
  kind: 'service' | 'gateway' | 'providers'
  /** Counts the processes of this name from 1. */
  replica: number
  /** The folder of its package, where it runs. */
  folder: string
  /** Its entry, relative to the folder. */
  entry: string
}

/** The same for every run: the name, and from the second replica on its number. */
export const replicaName = ({ name, replica }: Pick<MeshProcess, 'name' | 'replica'>): string =>
  replica === 1 ? name : `${name}-${replica}`

/**
 * Every process of the mesh whose entry exists: the double of the third parties, and so many replicas of each service and
 * of the gateway.
 */
export function findProcesses(root: string, replicas = 1): MeshProcess[] {
  const services = readdirSync(join(root, 'services')).sort()
  const entry = 'src/main.ts'
  const all = [
    {
      name: 'providers',
      kind: 'providers',
      folder: join(root, 'deploy/local'),
      entry: 'src/providers/main.ts',
    } as const,
    ...services.map((name) => ({ name, kind: 'service', folder: join(root, 'services', name), entry }) as const),
    { name: 'gateway', kind: 'gateway', folder: join(root, 'gateway'), entry } as const,
  ]
  return all
    .filter(({ folder, entry }) => existsSync(join(folder, entry)))
    .flatMap((process) =>
      Array.from({ length: process.kind === 'providers' ? 1 : replicas }, (_, index) => ({
        ...process,
        replica: index + 1,
      })),
    )
}
