type Place = { latitude: number; longitude: number };

const EARTH_RADIUS_KM = 6371;

/** Returns the great-circle distance in km. The SQL of the training rows uses the same formula. */
export function distanceKm(from: Place, to: Place): number {
  const half = (a: number, b: number) => Math.sin(radians(b - a) / 2) ** 2;
  const h =
    half(from.latitude, to.latitude) +
    Math.cos(radians(from.latitude)) *
      Math.cos(radians(to.latitude)) *
      half(from.longitude, to.longitude);
  return 2 * EARTH_RADIUS_KM * Math.asin(Math.sqrt(h));
}

function radians(degrees: number): number {
  return (degrees * Math.PI) / 180;
}

/** Width of a distance band in kilometres, and the number of the last band, which has no upper limit. */
const BAND_KM = 500;
const LAST_BAND = 8;

/** Returns the number of the distance band of two airports; empty if an airport is unknown. */
export function distanceBand(from: Place | undefined, to: Place | undefined): string {
  if (!from || !to) return '';
  return String(Math.min(LAST_BAND, Math.floor(distanceKm(from, to) / BAND_KM)));
}
