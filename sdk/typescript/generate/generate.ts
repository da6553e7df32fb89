// Writes src/generated from gateway/openapi.json.
import { writeFileSync } from 'node:fs'
import { generated } from './generated.ts'

for (const [path, text] of Object.entries(generated())) writeFileSync(path, text)
