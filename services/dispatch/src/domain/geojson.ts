/** A Polygon or MultiPolygon of RFC 7946: longitude and latitude on a plane. */
export type Geometry = { type: 'Polygon'; coordinates: Polygon } | { type: 'MultiPolygon'; coordinates: Polygon[] }

type Position = [lng: number, lat: number]
type Polygon = Position[][]

/** What keeps a text from being an area. */
export class GeometryFault extends Error {
  override readonly name = 'GeometryFault'
}

const MAX_POSITIONS = 10_000

/**
 * Reads the geometry of an area, without altitudes and foreign members. Throws GeometryFault for anything else than
 * closed rings of finite positions on earth; whether rings cross is for the database to say.
 */
export function readGeometry(json: string): Geometry {
  const { type, coordinates } = parse(json)
  const budget = { positions: MAX_POSITIONS }
  if (type === 'Polygon') return { type, coordinates: readPolygon(coordinates, budget) }
  if (type !== 'MultiPolygon') throw new GeometryFault('its type must be Polygon or MultiPolygon')
  const polygons = listOf(coordinates, 'coordinates must be a list of polygons')
  return { type, coordinates: polygons.map((polygon) => readPolygon(polygon, budget)) }
}

function parse(json: string): { type?: unknown; coordinates?: unknown } {
  let value: unknown
  try {
    value = JSON.parse(json)
  } catch {
    throw new GeometryFault('it must be JSON')
  }
  if (typeof value !== 'object' || value === null) throw new GeometryFault('it must be an object')
  return value
}

function listOf(value: unknown, otherwise: string): unknown[] {
  if (!Array.isArray(value) || value.length === 0) throw new GeometryFault(otherwise)
  return value
}

const readPolygon = (polygon: unknown, budget: { positions: number }): Polygon =>
  listOf(polygon, 'a polygon must be a list of rings').map((ring) => {
    const given = listOf(ring, 'a ring must be a list of positions')
    budget.positions -= given.length
    if (budget.positions < 0) throw new GeometryFault(`it may have at most ${MAX_POSITIONS} positions`)
    return readRing(given)
  })

function readRing(given: readonly unknown[]): Position[] {
  if (given.length < 4) throw new GeometryFault('a ring must have at least 4 positions')
  const ring = given.map(readPosition)
  const [first, last] = [ring[0] as Position, ring.at(-1) as Position]
  if (first[0] !== last[0] || first[1] !== last[1]) {
    throw new GeometryFault('a ring must end with the position that it begins with')
  }
  return ring
}

function readPosition(given: unknown): Position {
  if (!Array.isArray(given) || (given.length !== 2 && given.length !== 3) || !given.every(Number.isFinite)) {
    throw new GeometryFault('a position must be two numbers, longitude and latitude, and an altitude at most')
  }
  const [lng, lat] = given as Position
  if (Math.abs(lng) > 180) throw new GeometryFault(`longitude ${lng} is not from -180 to 180`)
  if (Math.abs(lat) > 90) throw new GeometryFault(`latitude ${lat} is not from -90 to 90`)
  return [lng, lat]
}
