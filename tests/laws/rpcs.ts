import type { Grant } from '@svc/grpc'
import type { Auth } from '../../gateway/src/http/route.ts'
import { routes } from '../../gateway/src/routes/index.ts'
import { type File, files } from './tree.ts'

/** One rpc as its service declares it. */
export interface DeclaredRpc {
  /** The folder of its service. */
  service: string
  /** `OrderService.createOrder` */
  name: string
  grants: readonly Grant[]
}

/** One operation of the API. */
export interface Operation {
  operationId: string
  auth: Auth
  testOnly: boolean
  /** The rpcs that its handler calls, as in DeclaredRpc. */
  calls: readonly string[]
}

type Declared = Readonly<Record<string, { access: { grants: readonly Grant[] } }>>
type Definition = Readonly<Record<string, { path: string }>>

/** Every rpc that a service declares as data, and the files of rpc/ that declare none. */
export async function declaredRpcs(): Promise<{ rpcs: DeclaredRpc[]; withoutAny: string[] }> {
  const rpcs: DeclaredRpc[] = []
  const withoutAny: string[] = []
  for (const { path } of await files('services/*/src/rpc/*-service.ts')) {
    const before = rpcs.length
    for (const one of Object.values((await import(`../../${path}`)) as Record<string, unknown>)) {
      const { definition, rpcs: declared } = one as { definition?: Definition; rpcs?: Declared }
      if (!definition || !declared) continue
      const proto = Object.values(definition)[0]?.path.split(/[./]/).at(-2)
      for (const [name, { access }] of Object.entries(declared))
        rpcs.push({ service: path.split('/')[1]!, name: `${proto}.${name}`, grants: access.grants })
    }
    if (rpcs.length === before) withoutAny.push(path)
  }
  return { rpcs, withoutAny }
}

/** What handlers call through a function beside them. */
const CALLED_THROUGH: Readonly<Record<string, readonly string[]>> = {
  trackOrder: ['PositionService.getTrackedPosition'],
  publicTrackOrder: ['PositionService.getTrackedPosition'],
  updateMerchant: ['OutboundWebhookService.getOutboundWebhook', 'OutboundWebhookService.updateOutboundWebhook'],
}

/** Every operation of the API; a handler whose text names no rpc calls the one that the operation is named after. */
export function operationsOf(rpcs: readonly DeclaredRpc[]): Operation[] {
  return routes.map((route) => {
    const { operationId, auth, testOnly = false } = route
    const named = rpcs.find(({ name }) => ownName(name) === rpcNameOf(operationId))?.name
    const calls = [...callsIn(route.handle.toString()), ...(CALLED_THROUGH[operationId] ?? [])]
    return { operationId, auth, testOnly, calls: calls.length > 0 || !named ? calls : [named] }
  })
}

/** `services.apiKey.createApiKey(` calls ApiKeyService.createApiKey. */
const callsIn = (handler: string): string[] => [
  ...new Set(
    [...handler.matchAll(/services\s*\.(\w+)\s*\.(\w+)\(/g)].map(
      ([, client = '', rpc = '']) => `${client.charAt(0).toUpperCase()}${client.slice(1)}Service.${rpc}`,
    ),
  ),
]

/** What libs/service calls for a service that says this in its definition. */
const CALLED_FOR: Readonly<Record<string, string>> = { 'MerchantService.pageMerchants': 'takesMerchant:' }

/** Whether a source calls the rpc, as far as its text shows. */
export const mayCall = ({ text }: File, name: string): boolean =>
  text.includes(CALLED_FOR[name] ?? `.${ownName(name)}(`)

/** `OrderService.createOrder` for `svc.order.v1.OrderService/CreateOrder`. */
export const nameOfRpc = (rpc: string): string =>
  rpc.slice(rpc.lastIndexOf('.') + 1).replace(/\/(.)/, (_, letter: string) => `.${letter.toLowerCase()}`)

/** The rpc's own name. */
export const ownName = (name: string): string => name.slice(name.indexOf('.') + 1)

/** The rpc that an operation is named after: twins of one rpc differ in their first word, those of hooks by their channel. */
export function rpcNameOf(operationId: string): string {
  const [, rest] = /^(?:admin|public|rider|legacy|[a-z]\w*?(?=ReceiveHook$))([A-Z].*)$/.exec(operationId) ?? []
  return rest === undefined ? operationId : rest.charAt(0).toLowerCase() + rest.slice(1)
}
