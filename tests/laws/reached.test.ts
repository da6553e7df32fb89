import { describe, expect, test } from '@jest/globals'
import { PASSED_ON } from '@svc/contracts/calls'
import { declaredRpcs, mayCall, nameOfRpc, operationsOf } from './rpcs.ts'
import { type File, files } from './tree.ts'

interface Tree {
  /** proto/svc/<service>/v1/*.proto */
  protos: readonly File[]
  /** What the services declare in rpc/. */
  declared: ReadonlyArray<{ service: string; name: string }>
  /** services/<service>/src/service.ts */
  assemblies: readonly File[]
  /** Sources that may call an rpc by `.name(`: of the gateway without its routes, and of the services. */
  callers: readonly File[]
  /** Rpcs that a route of the API calls, or that a service calls as the caller of another rpc. */
  routed: ReadonlySet<string>
  /** `POST /v1/orders` */
  served: readonly string[]
  /** Pages, which tell their readers which requests there are. */
  pages: readonly File[]
}

/** Pages that speak of requests to others, or of one that is an example. */
const OF_OTHERS =
  /^(deploy\/local\/src\/providers|libs\/lifecycle)\/|^CONTRIBUTING\.md: POST \/v1\/orders\/\{id\}\/hold/

/** What is said at one end and is not there at the other: contract, service, route, page. */
function breaches({ protos, declared, assemblies, callers, routed, served, pages }: Tree): string[] {
  const promised = protos.flatMap(({ path, text }) => rpcsIn(text).map((name) => `${path.split('/')[2]} ${name}`))
  const serving = declared.map(({ service, name }) => `${service} ${name}`)
  const routes = served.map((one) => new RegExp(`^${one.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}$`))
  const mounted = new Set(assemblies.flatMap(({ path, text }) => mountedIn(path.split('/')[1]!, text)))
  const groups = new Set(declared.map(({ service, name }) => `${service} ${name.split('.')[0]}`))
  return [
    ...promised.filter((name) => !serving.includes(name)).map((name) => `${name} is declared by no service`),
    ...serving.filter((name) => !promised.includes(name)).map((name) => `${name} is in no contract`),
    ...[...groups].filter((group) => !mounted.has(group)).map((group) => `${group} is not mounted`),
    ...declared
      .filter(({ service, name }) => !routed.has(name) && !isCalled(callers, service, name))
      .map(({ name }) => `${name} is called by nobody`),
    ...pages.flatMap(({ path, text }) =>
      requestsIn(text)
        .filter((request) => !routes.some((route) => route.test(request)))
        .map((request) => `${path}: ${request} is not served`),
    ),
  ]
}

/** `OrderService.createOrder` for each rpc of a proto file. */
const rpcsIn = (proto: string): string[] =>
  [...proto.matchAll(/^service (\w+) \{(.*?)^\}/gms)].flatMap(([, service = '', body = '']) =>
    [...body.matchAll(/^\s*rpc (\w)(\w*)/gm)].map(
      ([, first = '', rest = '']) => `${service}.${first.toLowerCase()}${rest}`,
    ),
  )

/** `rpcs: [orderService, …]` of the service that is assembled there. */
const mountedIn = (service: string, text: string): string[] =>
  (/\brpcs: \[([^\]]*)\]/.exec(text)?.[1] ?? '')
    .split(',')
    .map((name) => name.trim().replace(/^./, (letter) => letter.toUpperCase()))
    .map((name) => `${service} ${name}`)

const isCalled = (sources: readonly File[], service: string, name: string): boolean =>
  sources.some((source) => !source.path.startsWith(`services/${service}/`) && mayCall(source, name))

/** `POST /v1/orders/{id}/cancel` as a page names it. */
const requestsIn = (page: string): string[] =>
  [...page.matchAll(/\b(GET|POST|PUT|PATCH|DELETE) (\/[\w/{}.$-]*)/g)].map(
    ([, method = '', path = '']) => `${method} ${path.replace(/\.$/, '')}`,
  )

async function ourTree(): Promise<Tree> {
  const { rpcs } = await declaredRpcs()
  const [openapi] = await files('gateway/openapi.json')
  const { paths } = JSON.parse(openapi!.text) as { paths: Record<string, object> }
  const sources = await files('{gateway,services/*}/src/**/*.ts')
  return {
    protos: (await files('proto/svc/*/v1/*.proto')).filter(({ path }) => !path.startsWith('proto/svc/common/')),
    declared: rpcs,
    assemblies: sources.filter(({ path }) => /^services\/\w+\/src\/service\.ts$/.test(path)),
    callers: sources.filter(({ path }) => !/^gateway\/src\/routes\/|\.test\.ts$/.test(path)),
    routed: new Set([
      ...operationsOf(rpcs).flatMap(({ calls }) => calls),
      ...Object.values(PASSED_ON).flat().map(nameOfRpc),
    ]),
    served: Object.entries(paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    ),
    pages: await files('*.md', '{docs,deploy}/**/*.md', '{gateway,libs/*,services/*}/README.md'),
  }
}

describe('contract, service, route and page', () => {
  test('hold together: what one end says is there at the other', async () => {
    const tree = await ourTree()
    expect(tree.declared.length).toBeGreaterThan(120)
    expect(tree.pages.flatMap(({ text }) => requestsIn(text)).length).toBeGreaterThan(100)
    const found = breaches(tree).filter((breach) => !OF_OTHERS.test(breach))
    expect(found).toEqual([])
  })

  test('are found where a feature is lost at one of them', () => {
    const proto = 'service OrderService {\n  rpc GetOrder(A) returns (B);\n  rpc HoldOrder(A) returns (B);\n}\n'
    const sample: Tree = {
      protos: [{ path: 'proto/svc/order/v1/order_service.proto', text: proto }],
      declared: [
        { service: 'order', name: 'OrderService.getOrder' },
        { service: 'order', name: 'OrderService.listOrders' },
        { service: 'order', name: 'ShipmentService.submitShipment' },
        { service: 'order', name: 'ShipmentService.getShipment' },
      ],
      assemblies: [{ path: 'services/order/src/service.ts', text: 'rpcs: [\n  orderService,\n],' }],
      callers: [
        { path: 'services/order/src/use-cases/list-orders.ts', text: 'ctx.listOrders(' },
        { path: 'services/dispatch/src/peers/orders.ts', text: 'shipments.getShipment(' },
      ],
      routed: new Set(['OrderService.getOrder']),
      served: ['GET /v1/orders/{id}', 'GET /.well-known/jwks.json'],
      pages: [
        {
          path: 'docs/guides/orders.md',
          text: '`GET /v1/orders/$ORDER_ID`, GET /.well-known/jwks.json. `POST /v1/orders/{id}/hold`, GET /v1/orders.',
        },
      ],
    }
    expect(breaches(sample)).toEqual([
      'order OrderService.holdOrder is declared by no service',
      'order OrderService.listOrders is in no contract',
      'order ShipmentService.submitShipment is in no contract',
      'order ShipmentService.getShipment is in no contract',
      'order ShipmentService is not mounted',
      'OrderService.listOrders is called by nobody',
      'ShipmentService.submitShipment is called by nobody',
      'docs/guides/orders.md: POST /v1/orders/{id}/hold is not served',
      'docs/guides/orders.md: GET /v1/orders is not served',
    ])
  })
})
