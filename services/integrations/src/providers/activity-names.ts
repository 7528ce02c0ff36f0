import { productActivities } from '@caravan/contracts/domain/movement/activities';
import { mendedText } from '@caravan/contracts/domain/text/text';
import { isSameText } from '@caravan/contracts/domain/text/text-key';

const longestName = 60;
export const unnamedWorkout = 'Workout';

const ofStrava: Readonly<Record<string, string>> = {
  Walk: 'Walking',
  Hike: 'Hiking',
  Snowshoe: 'Hiking',
  Run: 'Running',
  TrailRun: 'Running',
  VirtualRun: 'Running',
  Ride: 'Biking',
  GravelRide: 'Biking',
  MountainBikeRide: 'Biking',
  VirtualRide: 'Biking',
  Velomobile: 'Biking',
  EBikeRide: 'Biking',
  EMountainBikeRide: 'Biking',
  Handcycle: 'Biking',
  AlpineSki: 'Skiing',
  BackcountrySki: 'Skiing',
  NordicSki: 'Skiing',
  RollerSki: 'Skiing',
  Swim: 'Swimming',
  Surfing: 'Surfing',
  Kayaking: 'Kayaking',
  Dance: 'Dancing',
  Yoga: 'Yoga',
  RockClimbing: 'Rock Climbing',
  WeightTraining: 'Weightlifting',
  Golf: 'Golf',
  Tennis: 'Tennis',
  Soccer: 'Soccer',
  Basketball: 'Basketball',
  Volleyball: 'Volleyball',
};

const ofGoogle: Readonly<Record<string, string>> = {
  WALKING: 'Walking',
  TREADMILL_WALKING: 'Walking',
  NORDIC_WALKING: 'Walking',
  HIKING: 'Hiking',
  RUNNING: 'Running',
  TREADMILL_RUNNING: 'Running',
  TRAIL_RUNNING: 'Running',
  JOGGING: 'Running',
  BIKING: 'Biking',
  MOUNTAIN_BIKING: 'Biking',
  OUTDOOR_BIKING: 'Biking',
  SPINNING: 'Biking',
  STATIONARY_BIKING: 'Biking',
  CYCLING: 'Biking',
  INDOOR_CYCLING: 'Biking',
  STRETCHING: 'Stretching',
  YOGA: 'Yoga',
  DANCING: 'Dancing',
  BOXING: 'Boxing',
  KICKBOXING: 'Boxing',
  SWIMMING: 'Swimming',
  SWIMMING_POOL: 'Swimming',
  SWIMMING_OPEN_WATER: 'Swimming',
  SKIING: 'Skiing',
  CROSS_COUNTRY_SKIING: 'Skiing',
  DOWNHILL_SKIING: 'Skiing',
  SURFING: 'Surfing',
  ROCK_CLIMBING: 'Rock Climbing',
  INDOOR_CLIMBING: 'Rock Climbing',
  KAYAKING: 'Kayaking',
  GOLF: 'Golf',
  WEIGHTLIFTING: 'Weightlifting',
  WEIGHTS: 'Weightlifting',
  STRENGTH_TRAINING: 'Weightlifting',
  TENNIS: 'Tennis',
  BASKETBALL: 'Basketball',
  VOLLEYBALL: 'Volleyball',
  SOCCER: 'Soccer',
  FOOTBALL_SOCCER: 'Soccer',
};

/** Strava's `sport_type`: one of our activities, else Strava's own name in words. */
export const activityOfStrava = (sportType: string): string => nameOf(ofStrava, sportType, spaceWords(sportType));

/** Google's `exerciseType`; where it says nothing, what the device calls it. */
export function activityOfGoogle(exerciseType: string, displayName = ''): string {
  const ours = productActivities.find((name) => isSameText(name, displayName));
  const own = /^(EXERCISE_TYPE_UNSPECIFIED|OTHER.*|WORKOUT|)$/.test(exerciseType) ? displayName : exerciseType;
  return nameOf(ofGoogle, exerciseType, ours ?? spaceWords(own));
}

function nameOf(names: Readonly<Record<string, string>>, type: string, otherwise: string): string {
  return Object.hasOwn(names, type) ? (names[type] ?? otherwise) : otherwise;
}

/** 'BackcountrySki' and 'STAIR_CLIMBING' as people write them: 'Backcountry Ski', 'Stair Climbing'. */
function spaceWords(name: string): string {
  const words = name
    .replaceAll(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .split(/[_\s]+/)
    .filter((word) => word !== '');
  const isShouted = name === name.toUpperCase();
  const written = words.map((word) => (isShouted ? word.charAt(0) + word.slice(1).toLowerCase() : word)).join(' ');
  const cut = mendedText(written, { maxCharacters: longestName });
  return cut === '' ? unnamedWorkout : cut;
}
