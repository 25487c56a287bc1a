package robobuffers;

import benchgate.quickbuf.Car;
import benchgate.quickbuf.FooBarContainer;
import benchgate.quickbuf.MarketData;

/** The same messages by QuickBuffers, which fills a message that it has already. */
final class Quick {
    private Quick() {}

    static Car fill(Car car) {
        car.clearQuick();
        car.setSerialNumber(12345).setModelYear(2005).setAvailable(true).setCode(Car.Model.A);
        for (int number = 0; number < 5; number++) {
            car.addSomeNumbers(number);
        }
        car.setVehicleCode("abcdef").addExtras(Car.Extra.SPORTS_PACK).addExtras(Car.Extra.SUN_ROOF);
        car.getMutableEngine().setCapacity(4200).setCylinders(8).setManufacturerCode("abc");
        for (float mpg : Samples.MPG) {
            car.getMutableFuelFigures().next().setSpeed(30).setMpg(mpg);
        }
        performance(car, 95, Samples.ACCELERATION);
        performance(car, 99, Samples.FASTER);
        return car.setManufacturer("AUDI").setModel("R8");
    }

    private static void performance(Car car, int octane, float[][] figures) {
        Car.PerformanceFigures performance = car.getMutablePerformanceFigures().next().setOctaneRating(octane);
        for (float[] figure : figures) {
            performance.getMutableAcceleration().next().setMph((int) figure[0]).setSeconds(figure[1]);
        }
    }

    static MarketData fill(MarketData data) {
        data.clearQuick();
        data.setTransactTime(1234)
                .setEventTimeDelta(987)
                .setMatchEventIndicator(MarketData.MatchEventIndicator.END_EVENT);
        for (int entry = 0; entry < 2; entry++) {
            MarketData.Entry added = data.getMutableEntries().next().setTradeId(1234).setSecurityId(56789);
            added.getMutablePrice().setMantissa(50);
            added.getMutableSize().setMantissa(10);
            added.setNumberOfOrders(1)
                    .setUpdateAction(MarketData.UpdateAction.NEW)
                    .setRepSeq(1)
                    .setAggressorSide(MarketData.Side.BUY)
                    .setEntryType(MarketData.EntryType.BID);
        }
        return data;
    }

    static FooBarContainer fill(FooBarContainer container) {
        container.clearQuick();
        for (int at = 0; at < 3; at++) {
            FooBarContainer.FooBar added = container.getMutableList().next();
            FooBarContainer.Bar bar = added.getMutableSibling();
            bar.getMutableParent()
                    .setId(Samples.ID + at)
                    .setCount(10000 + at)
                    .setPrefix('@' + at)
                    .setLength(1000000 + at);
            bar.setTime(123456 + at).setRatio(3.14159f + at).setSize(10000 + at);
            added.setName(Samples.NAME).setRating(Samples.rating(at)).setPostfix('!' + at);
        }
        return container
                .setInitialized(true)
                .setFruit(FooBarContainer.Fruit.BANANAS)
                .setLocation(Samples.LOCATION);
    }

    /** Looks at every value. Text is read as the number of its bytes: it stays what it was read as. */
    static long traverse(FooBarContainer container) {
        long sum = container.getInitialized() ? 1 : 0;
        sum += container.getFruitValue() + container.getLocationBytes().size();
        for (int at = 0; at < container.getList().length(); at++) {
            FooBarContainer.FooBar each = container.getList().get(at);
            FooBarContainer.Bar bar = each.getSibling();
            FooBarContainer.Foo foo = bar.getParent();
            sum += each.getNameBytes().size() + each.getPostfix() + (long) each.getRating();
            sum += bar.getTime() + (long) bar.getRatio() + bar.getSize();
            sum += foo.getId() + foo.getCount() + foo.getPrefix() + foo.getLength();
        }
        return sum;
    }
}
