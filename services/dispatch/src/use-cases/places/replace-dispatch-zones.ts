import { randomUUID } from 'node:crypto'
import type { ZoneInput } from '@svc/contracts/dispatch/v1/place_service'
import { type FieldFault, validationError } from '@svc/errors'
import type { By } from '@svc/grpc'
import { auditOf } from '@svc/transact'
import type { Context } from '../../context.ts'
import { type Area, type AreaSet, findAreas, invalidGeometries, lockAreas, replaceAreas } from '../../db/areas.ts'
import { type AreaInput, geometryFault, idFault, readAreas } from '../../domain/area.ts'
import { merchantOf } from '../remember-merchant.ts'

/** Puts new zones in the place of a merchant's. */
export async function replaceDispatchZones(
  ctx: Context,
  by: By,
  { merchantId, zones }: { merchantId: string; zones: readonly ZoneInput[] },
): Promise<Area[]> {
  return replaceAreaSet(ctx, by, { merchantId }, zones)
}

/**
 * Puts new areas in the place of a merchant's zones or of the platform's geofences: all of them or, when one is not
 * valid, none. Areas named by their id stay the ones they were; of two replacements at once the later one stands.
 */
export async function replaceAreaSet(
  ctx: Context,
  by: By,
  set: AreaSet,
  inputs: readonly ZoneInput[],
): Promise<Area[]> {
  const areas = readAreas(inputs)
  if (set.merchantId !== null) await merchantOf(ctx, set.merchantId)
  return ctx.transact('every tenant', async (tx) => {
    const invalid = await invalidGeometries(tx, areas)
    assertNone(invalid.map(({ index, reason }) => geometryFault(index, reason)))
    await lockAreas(tx, set)
    const before = await findAreas(tx, set)
    const createdAt = new Map(before.map((area) => [area.id, area.createdAt]))
    assertNone(areas.flatMap(({ id }, index) => (id === null || createdAt.has(id) ? [] : [idFault(index)])))
    const kept = (area: AreaInput) => ({
      ...area,
      id: area.id ?? randomUUID(),
      createdAt: createdAt.get(area.id ?? '') ?? tx.now,
    })
    await replaceAreas(tx, set, areas.map(kept))
    const after = await findAreas(tx, set)
    tx.publish(areaAudit(by, set, before, after))
    return after
  })
}

function assertNone([first, ...rest]: FieldFault[]): void {
  if (first) throw validationError([first, ...rest])
}

const areaAudit = (by: By, { merchantId }: AreaSet, before: readonly Area[], after: readonly Area[]) =>
  auditOf(by, {
    action: merchantId === null ? 'platform.geofences_replace' : 'merchant.dispatch_zones_replace',
    merchantId,
    resourceType: merchantId === null ? 'platform_geofences' : 'dispatch_zones',
    resourceId: merchantId ?? 'platform',
    before: summary(before),
    after: summary(after),
  })

const LISTED = 100

/** A fact has its bounds: outlines are left out, and of many areas all but the first. */
const summary = (areas: readonly Area[]) => ({
  count: areas.length,
  areas: areas.slice(0, LISTED).map(({ id, name, active, priority }) => ({ id, name, active, priority })),
})
