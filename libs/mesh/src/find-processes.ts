import { existsSync, readdirSync } from 'node:fs'
import { dirname, extname, join } from 'node:path'

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

/** Another program of its package, beside its entry: of the sources where these run, compiled where it was built. */
export const programOf = ({ entry }: MeshProcess, name: string): string =>
  join(dirname(entry), `${name}${extname(entry)}`)

export const runsFromSource = ({ entry }: MeshProcess): boolean => extname(entry) === '.ts'

/** What Node is told before a program of the process: its sources take those of the libraries. */
export const conditionsOf = (process: MeshProcess): string[] => (runsFromSource(process) ? ['--conditions=source'] : [])

/** The same for every run: the name, and from the second replica on its number. */
export const replicaName = ({ name, replica }: Pick<MeshProcess, 'name' | 'replica'>): string =>
  replica === 1 ? name : `${name}-${replica}`

/** The process as `npm run build` puts it below .local/build; the double of the third parties is not built. */
export const asBuilt = (root: string, process: MeshProcess): MeshProcess =>
  process.kind === 'providers'
    ? process
    : { ...process, folder: join(root, '.local/build', process.name), entry: 'dist/main.js' }

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
