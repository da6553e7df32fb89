import { existsSync, readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Server } from '@grpc/grpc-js'
import { loadSync } from '@grpc/proto-loader'
import { ReflectionService } from '@grpc/reflection'
import type { ServiceDefinition } from './definition.ts'

const PROTO_ROOT = fileURLToPath(new URL('../../../proto', import.meta.url))

/** Lets tools ask the server for the shapes of its services; reads the proto files, so it is for local runs only. */
export function addReflection(server: Server, definitions: readonly ServiceDefinition[]): void {
  if (!existsSync(PROTO_ROOT)) throw new Error(`GRPC_REFLECTION needs the proto files, which are not at ${PROTO_ROOT}`)
  const services = definitions.flatMap((definition) => Object.values(definition).slice(0, 1).map(serviceNameOf))
  const files = readdirSync(PROTO_ROOT, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.proto'))
  const loaded = loadSync(files, { includeDirs: [PROTO_ROOT], keepCase: true })
  new ReflectionService(loaded, { services }).addToServer(server)
}

const serviceNameOf = ({ path }: { path: string }) => path.slice(1, path.lastIndexOf('/'))
