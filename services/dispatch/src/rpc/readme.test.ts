import { readFile } from 'node:fs/promises'
import { expect, test } from '@jest/globals'
import type { Grant, Served } from '@svc/grpc'
import type { Context } from '../context.ts'
import { assignmentService } from './assignment-service.ts'
import { fleetService } from './fleet-service.ts'
import { placeService } from './place-service.ts'
import { positionService } from './position-service.ts'
import { pricingService } from './pricing-service.ts'
import { proofService } from './proof-service.ts'
import { riderService } from './rider-service.ts'

const SERVICES: Record<string, Pick<Served<Context>, 'rpcs'>> = {
  RiderService: riderService,
  FleetService: fleetService,
  PositionService: positionService,
  AssignmentService: assignmentService,
  PlaceService: placeService,
  PricingService: pricingService,
  ProofService: proofService,
}

const anyOf = (words: readonly string[]): string => words.map((word) => `\`${word}\``).join(' or ')

function inWords(grant: Grant): string {
  switch (grant.kind) {
    case 'merchant':
      return `${grant.keyOnly ? 'a key with ' : ''}${anyOf(grant.anyOf)}`
    case 'operator':
      return `operators: \`${grant.permission}\``
    case 'service':
      return `the ${grant.names.join(', ')}`
    case 'rider':
      return 'a rider'
    case 'public':
      return 'visitors'
    case 'anyone':
      return 'anyone'
  }
}

test('the README says of every rpc who may call it', async () => {
  const readme = await readFile(new URL('../../README.md', import.meta.url), 'utf8')
  const said = readme
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .map((line) => line.split('|').map((cell) => cell.trim()))
  const missing = Object.entries(SERVICES).flatMap(([service, { rpcs }]) =>
    Object.entries(rpcs).flatMap(([name, { access }], index) => {
      const cells = [index === 0 ? service : '', name.charAt(0).toUpperCase() + name.slice(1)]
      const row = [...cells, access.grants.map(inWords).join('; ')]
      return said.some((cells) => row.every((cell, nth) => cells[nth + 1] === cell)) ? [] : [`| ${row.join(' | ')} |`]
    }),
  )
  expect(missing).toEqual([])
})
