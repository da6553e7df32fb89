import { ServiceError } from '@svc/errors'

const SHOWN = 200

/** 404 of a path that names nothing, and the one that was probably meant: with /v1, with single slashes, in small letters. */
export function noSuchPath(paths: readonly string[]): (method: string, path: string) => ServiceError {
  const known = [...new Set(paths)].map((path) => path.split('/'))
  const isKnown = (path: string): boolean => {
    const parts = path.split('/')
    return known.some(
      (names) =>
        names.length === parts.length &&
        names.every((name, index) => (name.startsWith('{') ? parts[index] !== '' : name === parts[index])),
    )
  }
  return (method, path) => {
    const bare = path.replaceAll(/\/{2,}/g, '/').replace(/(.)\/$/, '$1')
    const nearest = [bare, `/v1${bare}`, bare.toLowerCase(), `/v1${bare.toLowerCase()}`].find(isKnown)
    const hint = nearest ? `Did you mean ${cut(nearest)}?` : 'See /docs.'
    return new ServiceError('not_found', {
      message: `There is no path ${method} ${cut(path)}. ${hint}`,
      details: { reason: 'no_such_path', ...(nearest ? { nearest: cut(nearest) } : {}) },
    })
  }
}

const cut = (path: string): string => (path.length > SHOWN ? `${path.slice(0, SHOWN)}…` : path)
