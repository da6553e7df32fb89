import { describe, expect, test } from '@jest/globals'
import { declaredRpcs, operationsOf, ownName, rpcNameOf } from './rpcs.ts'
import { type File, files } from './tree.ts'

interface Tree {
  rpcs: ReadonlyArray<{ service: string; name: string }>
  operations: ReadonlyArray<{ operationId: string; calls: readonly string[] }>
  files: readonly File[]
}

/** Where an rpc, its use case, its operation and its tests do not bear one name. */
function breaches({ rpcs, operations: known, files: sources }: Tree): string[] {
  const found: string[] = []
  for (const { service, name } of rpcs) {
    const own = ownName(name)
    const file = new RegExp(`^services/${service}/src/(use-cases|changes)/(.*/)?${kebab(own)}\\.ts$`)
    const useCase = sources.find(({ path }) => file.test(path))
    if (!useCase) found.push(`${name} has no file ${kebab(own)}.ts`)
    else if (!new RegExp(`export (async )?(function|const) ${own}\\b`).test(useCase.text))
      found.push(`${useCase.path} exports no ${own}`)
    const tests = sources.filter(({ path }) => path.startsWith(`services/${service}/test/`))
    if (!tests.some(({ text }) => new RegExp(`\\b${own}\\(`).test(text)))
      found.push(`${name} is called in no test of ${service}`)
  }
  for (const { operationId, calls } of known) {
    const named = rpcNameOf(operationId)
    if (!calls.some((call) => ownName(call) === named)) found.push(`${operationId} calls no ${named}`)
  }
  return found
}

const kebab = (name: string): string => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)

describe('an rpc, its file, its function and its operation', () => {
  test('bear one name, and each rpc is called by it in a test of its service', async () => {
    const { rpcs } = await declaredRpcs()
    expect(rpcs.length).toBeGreaterThan(120)
    const sources = await files('services/*/{src/{use-cases,changes},test}/**/*.ts')
    expect(breaches({ rpcs, operations: operationsOf(rpcs), files: sources })).toEqual([])
  })

  test('are data', async () => {
    expect((await declaredRpcs()).withoutAny).toEqual([])
  })

  test('of other names, or without a test, are found', () => {
    const sources = [
      { path: 'services/order/src/use-cases/cancel-order.ts', text: 'export async function cancelOrder(' },
      { path: 'services/order/src/changes/fix/edit-order.ts', text: 'export const changeOrder = 1' },
      { path: 'services/order/test/cancel.test.ts', text: 'await orders.cancelOrder({ id })' },
      { path: 'services/wallet/test/edit.test.ts', text: 'await orders.editOrder({ id })' },
    ]
    const rpcs = ['cancelOrder', 'editOrder', 'getOrder'].map((name) => ({
      service: 'order',
      name: `OrderService.${name}`,
    }))
    const known = [
      { operationId: 'adminCancelOrder', calls: ['OrderService.cancelOrder'] },
      { operationId: 'paymentsBReceiveHook', calls: ['HookService.receiveHook'] },
      { operationId: 'changeOrder', calls: ['OrderService.editOrder'] },
      { operationId: 'readOrder', calls: [] },
    ]
    expect(breaches({ rpcs, operations: known, files: sources })).toEqual([
      'services/order/src/changes/fix/edit-order.ts exports no editOrder',
      'OrderService.editOrder is called in no test of order',
      'OrderService.getOrder has no file get-order.ts',
      'OrderService.getOrder is called in no test of order',
      'changeOrder calls no changeOrder',
      'readOrder calls no readOrder',
    ])
  })
})
