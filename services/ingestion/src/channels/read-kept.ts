import { type JsonObject, readObject, UnfitJson } from '@svc/exact-json'

/** The object that a body holds, long numbers exact; null where it holds none that could be stored. */
export function readKept(body: Buffer): JsonObject | null {
  try {
    return readObject(body, true)
  } catch (error) {
    if (error instanceof UnfitJson) return null
    throw error
  }
}
