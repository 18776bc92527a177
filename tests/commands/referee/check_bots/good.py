import random
from conversation import hold

hold("good again", lambda legal: print(random.choice(legal), flush=True))
