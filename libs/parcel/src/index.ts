export { type ParcelSize, VEHICLES, type Vehicle, vehicleFor } from './vehicle.ts'
