import { readdirSync } from 'node:fs'
import type { MethodDefinition, Server, ServerDuplexStream } from '@grpc/grpc-js'
import { loadSync } from '@grpc/proto-loader'
import { ReflectionService } from '@grpc/reflection'

/** Answers a stream of questions, which come and go as bytes. */
export type ReflectedStream = (stream: ServerDuplexStream<Buffer, Buffer>) => void

type Added = Parameters<Server['addService']>

/** What the library answers with, by the path of its rpc: it reads every proto file, and makes each of them anew. */
export function reflected(protoRoot: string, services: string[]): ReadonlyMap<string, ReflectedStream> {
  const files = readdirSync(protoRoot, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.proto'))
  const loaded = loadSync(files, { includeDirs: [protoRoot], keepCase: true })
  const streams = new Map<string, ReflectedStream>()
  // It adds itself to a server that has begun to serve long ago.
  const collecting = {
    addService(...[{ ServerReflectionInfo: rpc }, { ServerReflectionInfo: handle }]: Added) {
      const method = rpc as MethodDefinition<object, object>
      streams.set(method.path, (stream) => (handle as (stream: object) => void)(ofMessages(stream, method)))
    },
  }
  new ReflectionService(loaded, { services }).addToServer(collecting as unknown as Server)
  return streams
}

/** As much of a stream of messages as the library uses. */
const ofMessages = (stream: ServerDuplexStream<Buffer, Buffer>, rpc: MethodDefinition<object, object>) => ({
  on: (event: 'data' | 'end', listener: (message?: object) => void) =>
    stream.on(event, (bytes?: Buffer) => listener(bytes && rpc.requestDeserialize(bytes))),
  write: (message: object) => stream.write(rpc.responseSerialize(message)),
  end: () => stream.end(),
})
