import type { MerchantScope, Permission } from '@svc/credentials'
import type { ErrorCode, ServiceError } from '@svc/errors'
import type { Caller } from '@svc/grpc'
import type * as z from 'zod'
import type { Config } from '../config.ts'
import type { Services } from '../services.ts'
import type { Tag } from './audiences.ts'
import type { Deprecation } from './deprecation.ts'
import type { Idempotency } from './idempotency.ts'
import type { BodyLimits, CallerLimit, PublicLimit } from './limits.ts'
import type { RawRequest } from './read-body.ts'
import type { JsonLimits } from './read-json.ts'
import type { UploadLimits } from './read-upload.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** Switches with which an operator demands `keys:manage` on top of a route's scope. */
export type KeysManageSwitch =
  | 'keysManageForOrders'
  | 'keysManageForOrderPatch'
  | 'keysManageForRiders'
  | 'keysManageForPasswordChange'

export interface MerchantAuth {
  kind: 'merchant'
  /** Any one of these is enough; none at all means that any merchant credential is. */
  scopes: readonly MerchantScope[]
  /** Only an API key, no token. */
  keyOnly: boolean
  /** Only the token of somebody who logged in. */
  loginOnly?: true
  /** Counted on top of the budget of the credential, once the body is known to be good. */
  callerLimit?: CallerLimit
  /** Not for who acts for another merchant. */
  inPerson?: true
  keysManageWhen?: KeysManageSwitch
}

/** A merchant as above, or a rider about itself. */
export interface MerchantOrRiderAuth {
  kind: 'merchant_or_rider'
  scopes: readonly MerchantScope[]
  keysManageWhen: KeysManageSwitch
}

export interface PublicAuth {
  kind: 'public'
  limits: readonly PublicLimit[]
  /** Limits that need the body to be known. */
  bodyLimits?: BodyLimits
  /** A good test key in X-API-Key names its merchant to the handler; any other credential is ignored. */
  bindsTestKey?: boolean
}

/**
 * A third party that signed the bytes of the request. The service that has the secrets judges the signature, and names in
 * its reply the signer, whom the limits count.
 */
export interface SignedAuth {
  kind: 'signed'
  /** The address names no merchant: a header that ends in -shop-domain says whose hook it is. */
  byShop?: true
}

/** Who may call a route. Kinds that nothing verifies yet cannot be mounted. */
export type Auth =
  | PublicAuth
  | MerchantAuth
  | MerchantOrRiderAuth
  | { kind: 'admin'; permission?: Permission }
  | { kind: 'rider' }
  | { kind: 'session'; limits: readonly PublicLimit[] }
  | { kind: 'scim' }
  | SignedAuth

/** No credential; bad ones are ignored. The limits count per client address. */
export const publicly = (...limits: readonly PublicLimit[]): PublicAuth => ({ kind: 'public', limits })

/** An API key or a merchant token that holds any one of the scopes. */
export const merchant = (...anyOfScopes: readonly MerchantScope[]): MerchantAuth => ({
  kind: 'merchant',
  scopes: anyOfScopes,
  keyOnly: false,
})

/** The same, and `keys:manage` too where the operator's switch is on. */
export const andKeysManage = (auth: MerchantAuth, keysManageWhen: KeysManageSwitch): MerchantAuth => ({
  ...auth,
  keysManageWhen,
})

/** An API key itself that holds any one of the scopes; tokens minted from one are refused. */
export const apiKey = (...anyOfScopes: readonly MerchantScope[]): MerchantAuth => ({
  kind: 'merchant',
  scopes: anyOfScopes,
  keyOnly: true,
})

/** The token of somebody who logged in; a key, and a token exchanged from one, lacks what it takes. */
export const login = (callerLimit: CallerLimit): MerchantAuth => ({ ...merchant(), loginOnly: true, callerLimit })

/** The same, and no more often than this. */
export const limited = (auth: MerchantAuth, callerLimit: CallerLimit): MerchantAuth => ({ ...auth, callerLimit })

/** The same, and not by who acts for another merchant: what is made or moved here outlives the grant, or is money. */
export const inPerson = (auth: MerchantAuth): MerchantAuth => ({ ...auth, inPerson: true })

/** A rider's token. */
export const rider = (): Auth => ({ kind: 'rider' })

/** A merchant who holds any one of the scopes acts on its riders, a rider's token on the rider itself. */
export const merchantOrRider = (...anyOfScopes: readonly MerchantScope[]): MerchantOrRiderAuth => ({
  kind: 'merchant_or_rider',
  scopes: anyOfScopes,
  keysManageWhen: 'keysManageForRiders',
})

/** An access token of any class, also when its session has ended; without one the body must name the session. */
export const session = (...limits: readonly PublicLimit[]): Auth => ({ kind: 'session', limits })

/** A third party that signs what it sends; credentials of ours mean nothing here. */
export const signed = (by: Pick<SignedAuth, 'byShop'> = {}): SignedAuth => ({ kind: 'signed', ...by })

/** An operator's token that holds the permission. */
export const admin = (permission?: Permission): Auth => ({ kind: 'admin', permission })

export type Shape = Readonly<Record<string, z.ZodType>>

/** What a third party signed. */
export interface SignedRequest extends RawRequest {
  /** Signers, the platform or merchants, that have sent as many as they may for now: of them nothing more is taken. */
  exhausted_signers: string[]
}

type Values<S extends Shape> = { [K in keyof S]: z.output<S[K]> }

/** What a handler gets: everything checked, nothing raw. */
export interface Input<P extends Shape, Q extends Shape, H extends Shape, B extends z.ZodType> {
  params: Values<P>
  query: Values<Q>
  headers: Values<H>
  body: z.output<B>
  caller: Caller
  idempotency: Idempotency | undefined
  /** The request byte for byte, where the route asks for it. */
  raw: SignedRequest | undefined
  /** The file of a route that takes one; of another it is empty. */
  file: Buffer
  config: Config
}

type ReplyHeaders = Readonly<Record<string, string>>

/** The bodies that a route sends, by status. */
export type Replies = Readonly<Record<number, z.ZodType>>

export interface Reply {
  status: number
  body: unknown
  headers?: ReplyHeaders | undefined
}

/** One of the declared replies, before its schema strips what is not public and fills in what is promised. */
export type ReplyOf<R extends Replies> = {
  [S in keyof R & number]: { status: S; body: z.input<R[S]>; headers?: ReplyHeaders | undefined }
}[keyof R & number]

/** Answers with a JSON body. */
export const reply = <const S extends number, const B>(status: S, body: B, headers?: ReplyHeaders) => ({
  status,
  body,
  headers,
})

/** What a browser is sent in place of JSON, where its Accept prefers HTML. */
export interface Page<Body> {
  /** Content-Security-Policy: what the page runs and shows is known by its digest. */
  policy: string
  /** The HTML of a reply. */
  shown(body: Body): string
  /** The HTML of an error. */
  refused: (error: ServiceError) => string
}

interface Definition<R extends Replies, P extends Shape, Q extends Shape, H extends Shape, B extends z.ZodType, A> {
  method: Method
  /** As in OpenAPI: `/v1/orders/{id}`. */
  path: string
  /** The rpc's name, and the name of everything else that serves it. */
  operationId: string
  tag: Tag
  summary: string
  description?: string
  /** It will go: each of its answers says so, and the changelog. */
  deprecated?: Deprecation
  auth: Auth
  /** The route lives in the sandbox: live credentials are refused, a login acts on test objects. */
  testOnly?: boolean
  /** Takes an Idempotency-Key. */
  idempotent?: boolean
  deadlineMs?: number
  params?: P
  query?: Q
  headers?: H
  body?: B
  /** How much more than usual the body may hold. */
  bodyLimits?: JsonLimits
  /** The body is a form with a file, whose fields `body` judges. */
  upload?: UploadLimits
  /** `raw`: the body is what its sender signed, of any media type, and is not read here. */
  input?: 'raw'
  /** A field of the body that is opaque to us, or all of it: its numbers pass with every digit that was sent. */
  opaque?: string | true
  /** Of the body where it is no JSON object but rows, one per line. */
  media?: 'application/x-ndjson'
  /** What is sent, by status: what a schema does not name is stripped, what it promises and the message lacks is null. */
  replies: R
  /** For whom follows a link. */
  page?: Page<z.output<R[keyof R & number]>>
  /** Codes beyond those that every route can answer with. */
  errors: readonly ErrorCode[]
  handle(input: Input<P, Q, H, B>, services: Services): Promise<A>
}

// biome-ignore lint/suspicious/noExplicitAny: a table of routes cannot keep the input types of each
export type Route = Definition<Replies, any, any, any, any, Reply>

/** Until when a request that comes now is worth an answer. */
export const endsAtMs = ({ deadlineMs = 5_000 }: Route): number => Date.now() + deadlineMs

/** A route is data: everything public about it derives from this value. */
export function route<
  const R extends Replies,
  P extends Shape = Record<never, never>,
  Q extends Shape = Record<never, never>,
  H extends Shape = Record<never, never>,
  B extends z.ZodType = z.ZodUndefined,
>(definition: Definition<R, P, Q, H, B, ReplyOf<R>>): Route {
  return definition
}
