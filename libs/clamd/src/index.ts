export { clamdScanner, type Scanner, ScanRefusedError, type Verdict } from './clamd-scanner.ts'
