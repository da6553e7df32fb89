import { type MeshProcess, replicaName } from './find-processes.ts'

/** The ports that these processes listen on, as `gateway`, `order.grpc`, `order.ops`, `providers.clamd`. */
export function portNames(processes: readonly MeshProcess[]): string[] {
  return processes.flatMap((process) => {
    const { kind } = process
    const name = replicaName(process)
    if (kind === 'providers') return [name, `${name}.clamd`]
    if (kind === 'gateway') return [name, `${name}.ops`]
    return [`${name}.grpc`, `${name}.ops`]
  })
}
