/** Markup in which whatever came from outside is escaped. */
export class Html {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

type Value = Html | readonly Html[] | string | number | undefined

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

const markupOf = (value: Value): string => {
  if (value === undefined) return ''
  if (value instanceof Html) return value.text
  if (typeof value === 'object') return value.map(markupOf).join('')
  return String(value).replaceAll(/[&<>"']/g, (character) => ENTITIES[character] as string)
}

/** Markup of a template: texts in it are escaped, markup stays, and undefined is nothing. */
export const html = (parts: TemplateStringsArray, ...values: readonly Value[]): Html =>
  new Html(String.raw({ raw: parts }, ...values.map(markupOf)))
