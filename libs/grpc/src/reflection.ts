import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { handleBidiStreamingCall, MethodDefinition, Server } from '@grpc/grpc-js'
import type { ServiceDefinition } from './definition.ts'
import type { ReflectedStream } from './reflected.ts'

const PROTO_ROOT = fileURLToPath(new URL('../../../proto', import.meta.url))
const PATHS = ['v1', 'v1alpha'].map((version) => `/grpc.reflection.${version}.ServerReflection/ServerReflectionInfo`)

/**
 * Lets tools ask the server for the shapes of its services; reads the proto files, so it is for local runs only. All of it
 * is read when the first tool asks: that takes as long as the rest of a start.
 */
export function addReflection(server: Server, definitions: readonly ServiceDefinition[]): void {
  if (!existsSync(PROTO_ROOT)) throw new Error(`GRPC_REFLECTION needs the proto files, which are not at ${PROTO_ROOT}`)
  const services = definitions.flatMap((definition) => Object.values(definition).slice(0, 1).map(serviceNameOf))
  let loading: Promise<ReadonlyMap<string, ReflectedStream>> | undefined
  for (const path of PATHS) {
    const handle: handleBidiStreamingCall<Buffer, Buffer> = (stream) => {
      loading ??= import('./reflected.ts').then(({ reflected }) => reflected(PROTO_ROOT, services))
      loading.then(
        (streams) => streams.get(path)!(stream),
        (error: Error) => stream.emit('error', error),
      )
    }
    server.addService({ ServerReflectionInfo: rawStream(path) }, { ServerReflectionInfo: handle })
  }
}

const serviceNameOf = ({ path }: { path: string }) => path.slice(1, path.lastIndexOf('/'))

const asItIs = (bytes: Buffer) => bytes

const rawStream = (path: string): MethodDefinition<Buffer, Buffer> => ({
  path,
  requestStream: true,
  responseStream: true,
  requestSerialize: asItIs,
  requestDeserialize: asItIs,
  responseSerialize: asItIs,
  responseDeserialize: asItIs,
})
