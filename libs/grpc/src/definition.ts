import type { Caller } from './caller.ts'

/** One unary rpc as ts-proto writes it. */
export interface UnaryMethod<Request, Response> {
  readonly path: string
  readonly requestStream: false
  readonly responseStream: false
  readonly requestSerialize: (value: Request) => Buffer
  readonly requestDeserialize: (bytes: Buffer) => Request
  readonly responseSerialize: (value: Response) => Buffer
  readonly responseDeserialize: (bytes: Buffer) => Response
}

// oxlint-disable-next-line typescript/no-explicit-any -- the one place where the messages of all services meet
export type ServiceDefinition = { readonly [rpc: string]: UnaryMethod<any, any> }

export type RequestOf<Method> = Method extends { requestDeserialize: (bytes: Buffer) => infer Request }
  ? Request
  : never
export type ResponseOf<Method> = Method extends { responseDeserialize: (bytes: Buffer) => infer Response }
  ? Response
  : never

/** What a handler knows of the call besides its request. */
export interface Call {
  caller: Caller
  deadline: Date
  /** Aborted when the caller hangs up or the deadline passes. */
  signal: AbortSignal
}

/** The rpcs of a service as async functions, to be implemented. */
export type Handlers<Definition> = {
  [Rpc in keyof Definition]: (request: RequestOf<Definition[Rpc]>, call: Call) => Promise<ResponseOf<Definition[Rpc]>>
}

/** The rpcs of a service as async functions, to be called. */
export type Promised<Definition> = {
  [Rpc in keyof Definition]: (request: RequestOf<Definition[Rpc]>) => Promise<ResponseOf<Definition[Rpc]>>
}
