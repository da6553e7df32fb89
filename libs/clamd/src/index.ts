export { clamdScanner, type Scanner, ScanRefusedError } from './clamd-scanner.ts'
