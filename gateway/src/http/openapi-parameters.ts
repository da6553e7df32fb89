interface Parameter {
  name: string
  in: string
}

interface Reference {
  $ref: string
}

interface Operation {
  parameters?: Array<Parameter | Reference>
}

interface Document {
  paths?: Record<string, object>
  webhooks?: Record<string, object>
  components?: { parameters?: Record<string, unknown> }
}

const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const

/** Moves every parameter that several operations have to the components, so that the document holds it once. */
export function shareParameters(document: Document): void {
  const lists = operationsOf(document).map((operation) => operation.parameters ?? [])
  const all = lists.flat().filter((parameter): parameter is Parameter => 'name' in parameter)
  const shared = new Map<string, string>()
  const components: Record<string, Parameter> = {}
  for (const [text, same] of Map.groupBy(all, (parameter) => JSON.stringify(parameter))) {
    const [parameter] = same
    if (!parameter || same.length < 2) continue
    const id = freeName(parameter.name, components)
    components[id] = parameter
    shared.set(text, id)
  }
  for (const list of lists) {
    for (const [i, parameter] of list.entries()) {
      const id = shared.get(JSON.stringify(parameter))
      if (id !== undefined) list[i] = { $ref: `#/components/parameters/${id}` }
    }
  }
  document.components = { ...document.components, parameters: components }
}

const operationsOf = ({ paths = {}, webhooks = {} }: Document): Operation[] =>
  [...Object.values(paths), ...Object.values(webhooks)].flatMap((item: Partial<Record<string, Operation>>) =>
    METHODS.flatMap((method) => item[method] ?? []),
  )

/** The name itself, or numbered where another parameter bears it: limits of lists differ in how much they give. */
function freeName(name: string, taken: Readonly<Record<string, unknown>>): string {
  let id = name
  for (let n = 2; id in taken; n++) id = `${name}.${n}`
  return id
}
