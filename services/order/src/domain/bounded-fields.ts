/** Known scalar fields of a standardized record; their lengths are limited when an order is accepted. */
export const BOUNDED_FIELDS = [
  'pickup_address dropoff_address customer_phone customer_name notes scheduled_pickup_at delivery_window_start',
  'delivery_window_end pickup_lat pickup_lng dropoff_lat dropoff_lng cod_amount_minor cod_currency weight_kg length_cm',
  'width_cm height_cm is_fragile vehicle_type_hint rider_id delivery_commission_minor',
].flatMap((line) => line.split(' '))
