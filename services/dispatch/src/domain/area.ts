import type { ZoneInput } from '@svc/contracts/dispatch/v1/place_service'
import { type FieldFault, refuseFaults, validationError } from '@svc/errors'
import { isUuid } from '@svc/inputs'
import { type Geometry, GeometryFault, readGeometry } from './geojson.ts'
import { isLabel, MAX_LABEL } from './label.ts'

/** A merchant's zone or one of the platform's geofences, as it is to be. */
export interface AreaInput {
  /** Of an area that is in the set already; null: a new one. */
  id: string | null
  name: string
  active: boolean
  /** Of several areas at one point the highest is named. */
  priority: number
  geometry: Geometry
}

const MAX_AREAS = 1_000

/** Reads a whole set; throws validation_error naming every feature that is not valid. */
export function readAreas(inputs: readonly ZoneInput[]): AreaInput[] {
  if (inputs.length > MAX_AREAS) {
    const message = `A set may have at most ${MAX_AREAS} features.`
    throw validationError([{ field: 'features', rule: 'max', limit: MAX_AREAS, message }])
  }
  const faults: FieldFault[] = []
  const known = new Set<string>()
  const areas = inputs.flatMap((input, index): AreaInput[] => {
    const id = input.id?.toLowerCase() ?? null
    if (id !== null && (!isUuid(id) || known.has(id))) faults.push(idFault(index))
    if (id !== null) known.add(id)
    if (!isLabel(input.name)) faults.push(nameFault(index))
    const geometry = geometryOf(input, (reason) => faults.push(geometryFault(index, reason)))
    return geometry ? [{ id, name: input.name, active: input.active, priority: input.priority, geometry }] : []
  })
  refuseFaults(faults)
  return areas
}

function geometryOf({ geometry_json }: ZoneInput, refuse: (reason: string) => void): Geometry | null {
  try {
    return readGeometry(geometry_json)
  } catch (error) {
    if (!(error instanceof GeometryFault)) throw error
    refuse(error.message)
    return null
  }
}

/** The fault of a feature whose area is none. */
export const geometryFault = (index: number, reason: string): FieldFault => ({
  field: `features[${index}].geometry`,
  rule: 'geometry',
  message: `The geometry of features[${index}] is not valid: ${reason}.`,
})

/** The fault of a feature whose id is not one of its set, or is there twice. */
export const idFault = (index: number): FieldFault => ({
  field: `features[${index}].properties.id`,
  rule: 'known',
  message: 'An id must be that of one feature of the present set; leave it out for a new one.',
})

const nameFault = (index: number): FieldFault => ({
  field: `features[${index}].properties.name`,
  rule: 'length',
  limit: MAX_LABEL,
  message: `properties.name must have 1 to ${MAX_LABEL} printable characters.`,
})
