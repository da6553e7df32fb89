import { validate } from '@svc/inputs'
import type { ZodType } from 'zod'
import { type Access, admit } from './access.ts'
import type { By } from './by.ts'
import type { Call, Handlers, RequestOf, ResponseOf, ServiceDefinition } from './definition.ts'
import type { Scope } from './tenant.ts'

/** One rpc as data: who may call it, what its request must hold beyond its message, and the use case that serves it. */
export interface Rpc<Ctx, Request, Response> {
  readonly access: Access
  readonly input?: ZodType<unknown, Request>
  // biome-ignore lint/suspicious/noExplicitAny: scope and input are checked where the rpc is declared
  handle(ctx: Ctx, by: By<any>, input: any): Promise<Response>
}

export type Rpcs<Ctx, Definition> = {
  readonly [Name in keyof Definition]: Rpc<Ctx, RequestOf<Definition[Name]>, ResponseOf<Definition[Name]>>
}

/** A proto service with its rpcs; a constant that closes over nothing, so that it can be read without a running service. */
export interface Served<Ctx, Definition extends ServiceDefinition = ServiceDefinition> {
  readonly definition: Definition
  readonly rpcs: Rpcs<Ctx, Definition>
}

interface RpcDefinition<Ctx, Request, Response, S extends Scope, Input> {
  access: Access<S>
  /** Judges the request and may give it another shape; a broken rule is a validation_error that names the field. */
  input?: ZodType<Input, Request>
  handle(ctx: Ctx, by: By<S>, input: Input): Promise<Response>
}

/** Declares one rpc: `access` decides the scope, `input` the shape, that `handle` gets. */
export const rpc = <Ctx, Request, Response, S extends Scope, Input = Request>(
  definition: RpcDefinition<Ctx, Request, Response, S, Input>,
): Rpc<Ctx, Request, Response> => definition as Rpc<Ctx, Request, Response>

/** Declares the rpcs of a proto service: each of them, or it does not compile. */
export const serving =
  <Ctx>() =>
  <Definition extends ServiceDefinition>(
    definition: Definition,
    rpcs: Rpcs<Ctx, Definition>,
  ): Served<Ctx, Definition> => ({ definition, rpcs })

/**
 * The pair that grpcServer takes: each call is admitted, its request judged, and then handled. What is thrown then goes through
 * `told`, which may put another error in its place.
 */
export function served<Ctx, Definition extends ServiceDefinition>(
  { definition, rpcs }: Served<Ctx, Definition>,
  ctx: Ctx,
  told: <T>(work: Promise<T>) => Promise<T> = (work) => work,
): readonly [Definition, Handlers<Definition>] {
  const handlers = Object.entries<Rpc<Ctx, unknown, unknown>>(rpcs).map(([name, each]) => {
    const { access, input } = each
    // Without it the rpc would be anyone's: the compiler asks for it, and so does a start.
    if (!access?.grants.length) throw new TypeError(`${name} does not say who may call it`)
    return [
      name,
      async (request: unknown, call: Call) => {
        const by = byOf(call, admit(access, call.caller))
        return told(each.handle(ctx, by, input ? validate(input, request) : request))
      },
    ]
  })
  return [definition, Object.fromEntries(handlers) as Handlers<Definition>]
}

const byOf = (call: Call, scope: Scope): By => ({
  caller: call.caller,
  scope,
  deadline: call.deadline,
  get signal() {
    return call.signal
  },
})
