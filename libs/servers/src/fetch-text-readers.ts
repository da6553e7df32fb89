import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { programPath } from '../native.mjs'
import { fetchDebian, librariesIn } from './fetch-debian.ts'

interface TextReaders {
  /** Full path of tesseract, which reads English. */
  ocr: string
  /** Full path of pdftotext. */
  pdf: string
}

/**
 * The programs that read pictures and PDFs: the machine's own, else Debian's, unpacked below the cache, each behind a script that
 * tells it where its libraries are. Throws where neither is to be had.
 */
export async function fetchTextReaders(cacheFolder: string, report: (line: string) => void): Promise<TextReaders> {
  const own = { ocr: programPath('tesseract'), pdf: programPath('pdftotext') }
  if (own.ocr && own.pdf) return { ocr: own.ocr, pdf: own.pdf }
  const folder = join(cacheFolder, 'text-readers')
  await fetchDebian(folder, ['tesseract-ocr', 'tesseract-ocr-eng', 'poppler-utils'], report)
  const data = join(folder, 'usr/share/tesseract-ocr/5/tessdata')
  const script = (name: string): string => {
    const path = join(folder, `${name}.sh`)
    const told = `LD_LIBRARY_PATH='${librariesIn(folder)}' TESSDATA_PREFIX='${data}'`
    writeFileSync(path, `#!/bin/sh\n${told} exec '${join(folder, 'usr/bin', name)}' "$@"\n`, { mode: 0o755 })
    return path
  }
  return { ocr: script('tesseract'), pdf: script('pdftotext') }
}
