import { ServiceError } from '@svc/errors'

const SHOWN = 200

/**
 * 404 of a path that names nothing, and the one that was probably meant: with /v1, with single slashes, in small letters,
 * with an s more or less.
 */
export function noSuchPath(paths: readonly string[]): (method: string, path: string) => ServiceError {
  const known = [...new Set(paths)].map((path) => path.split('/'))
  const meantBy = (path: string, isWord: Same): string | undefined => {
    const parts = path.split('/')
    const names = known.find(
      (words) => words.length === parts.length && words.every((word, at) => fits(word, parts[at] as string, isWord)),
    )
    return names?.map((word, at) => (word.startsWith('{') ? parts[at] : word)).join('/')
  }
  return (method, path) => {
    const bare = path.replaceAll(/\/{2,}/g, '/').replace(/(.)\/$/, '$1')
    const spelt = [bare, `/v1${bare}`, bare.toLowerCase(), `/v1${bare.toLowerCase()}`]
    const nearest = [same, sameButForAnS].flatMap((isWord) => spelt.map((one) => meantBy(one, isWord))).find(Boolean)
    const hint = nearest ? `Did you mean ${cut(nearest)}?` : 'See /docs.'
    return new ServiceError('not_found', {
      message: `There is no path ${method} ${cut(path)}. ${hint}`,
      details: { reason: 'no_such_path', ...(nearest ? { nearest: cut(nearest) } : {}) },
    })
  }
}

type Same = (word: string, part: string) => boolean

const same: Same = (word, part) => word === part
const sameButForAnS: Same = (word, part) => word === part || word === `${part}s` || `${word}s` === part

const fits = (word: string, part: string, isWord: Same): boolean =>
  word.startsWith('{') ? part !== '' : isWord(word, part)

const cut = (path: string): string => (path.length > SHOWN ? `${path.slice(0, SHOWN)}…` : path)
