// Writes deploy/observability/dashboards, which Grafana loads; `npm run generate` runs it.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { dashboards } from './dashboards.ts'

const folder = resolve(import.meta.dirname, '../dashboards')
mkdirSync(folder, { recursive: true })
for (const [name, content] of Object.entries(dashboards))
  writeFileSync(join(folder, `${name}.json`), `${JSON.stringify(content, null, 2)}\n`)
