import type { Airport } from '../warehouse/store/types.ts';

type Place = Pick<Airport, 'latitude' | 'longitude'>;

/** From gate to gate a flight takes half an hour, and the distance at the speed of a jet. */
const GROUND_H = 0.5;
const SPEED_KMH = 850;
const DEPARTURE_HOUR = 14;
const EARTH_RADIUS_KM = 6_371;

/** Degrees of longitude the sun moves in an hour; civil time follows it closely enough for a date. */
const DEGREES_PER_HOUR = 15;

/**
 * The local date on which a flight that leaves `origin` at two in the afternoon of `flightDate` arrives: the time of
 * departure is not known, and that is the middle of a day's departures. It is the same date for all but long flights to
 * the east and across the date line.
 */
export function arrivalDate(flightDate: string, origin: Place, dest: Place): string {
  const flightH = GROUND_H + distanceKm(origin, dest) / SPEED_KMH;
  const clockH = (dest.longitude - origin.longitude) / DEGREES_PER_HOUR;
  const days = Math.floor((DEPARTURE_HOUR + flightH + clockH) / 24);
  if (days === 0) return flightDate;
  return new Date(Date.parse(flightDate) + days * 86_400_000).toISOString().slice(0, 10);
}

/** Great-circle distance. */
function distanceKm(a: Place, b: Place): number {
  const [lat1, lat2] = [radians(a.latitude), radians(b.latitude)];
  const east = radians(b.longitude - a.longitude);
  const cosine = Math.sin(lat1) * Math.sin(lat2) + Math.cos(lat1) * Math.cos(lat2) * Math.cos(east);
  return EARTH_RADIUS_KM * Math.acos(Math.min(1, Math.max(-1, cosine)));
}

function radians(degrees: number): number {
  return (degrees * Math.PI) / 180;
}
