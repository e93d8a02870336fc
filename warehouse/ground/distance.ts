type Place = { latitude: number; longitude: number };

const EARTH_RADIUS_KM = 6371;

/** Returns the great-circle distance in km. The training rows compute it with the same formula. */
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
