import { globSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

export const ROOT = resolve(import.meta.dirname, '../..')
export const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8')

const ENDINGS = { counter: ['_total'], total: ['_total'], gauge: [''], histogram: ['_bucket', '_sum', '_count', ''] }

/** Every name under which the processes show a metric, as Prometheus spells it. */
export function shownMetrics(): Set<string> {
  const files = globSync(['libs/*/src/**/*.ts', 'services/*/src/**/*.ts', 'gateway/src/**/*.ts'], { cwd: ROOT })
  const defined = files.flatMap((file) => [
    ...read(file).matchAll(/metrics\s*\.(counter|total|gauge|histogram)\(\s*'(\w+)'/g),
  ])
  return new Set(
    defined.flatMap(([, kind, name]) =>
      ENDINGS[kind as keyof typeof ENDINGS].map((ending) => (name!.endsWith(ending) ? name! : name + ending)),
    ),
  )
}

/** The metrics that an expression of Prometheus looks at: what is left of it without labels, strings, words and functions. */
export function watchedMetrics(expression: string): string[] {
  const bare = expression
    .replaceAll(/\{[^{}]*(?:"[^"]*"[^{}]*)*\}/g, ' ')
    .replaceAll(/\[[^\]]*\]/g, ' ')
    .replaceAll(/\b(?:by|on|ignoring|without|group_left|group_right)\s*\([^)]*\)/g, ' ')
    .replaceAll(/"[^"]*"/g, ' ')
  return [...bare.matchAll(/[a-z][a-zA-Z0-9_:]*(?!\w)(?!\s*\()/g)]
    .map(([name]) => name)
    .filter((name) => !WORDS.has(name))
}

const WORDS = new Set(['and', 'or', 'unless', 'bool', 'offset', 'm', 's', 'h'])
