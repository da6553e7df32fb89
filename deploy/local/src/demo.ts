// Seeds the demo data of a local run that is under way, and says where everything is.
import { runningSettings } from './local-settings.ts'
import { stackFile } from './paths.ts'
import { screen } from './screen.ts'
import { seed } from './seed.ts'
import { writeStackFile } from './stack-file.ts'

const { mesh } = runningSettings()
await seed(mesh)
writeStackFile(stackFile, mesh)
console.log(screen(mesh))
